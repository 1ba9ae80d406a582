package ui

import (
	"os"
	"slices"
)

// A Palette is a theme of the user's: another one with colours of its own.
type Palette struct {
	// Base is the theme it begins with, one of [Themes]; "" is auto.
	Base string
	// Colours gives each of [Parts] that is named its colour: 0xRRGGBB, or -1 for that
	// of the terminal.
	Colours map[string]int
}

// partNames names what a palette may colour.
var partNames = [numStyles]string{
	plain: "text", strong: "strong", dim: "dim", faint: "faint", accent: "accent", title: "title", border: "border", borderFocus: "focus",
	roleSystem: "system", roleUser: "user", roleAssistant: "assistant", roleTool: "tool",
	changed: "changed", dropped: "dropped", added: "added", marker: "marker", failure: "error", injected: "injected",
	found: "found", matchHere: "match", keyCap: "key", gauge: "gauge", gaugeFull: "gauge-full", alarm: "alarm", caret: "caret",
	codeComment: "code-comment", codeKeyword: "code-keyword", codeConstant: "code-constant", codeType: "code-type", codeFunction: "code-function",
	codeKey: "code-key", codeString: "code-string", codeMeta: "code-meta", emphasis: "emphasis", inserted: "inserted", deleted: "deleted",
}

// shadeNames names the backgrounds it may colour; "" is that of the terminal.
var shadeNames = [numShades]string{weakShade: "bar", cursorShade: "cursor"}

// Parts lists what a palette may colour.
func Parts() []string {
	return slices.Concat(partNames[:], shadeNames[weakShade:])
}

// look is how a style looks with the colours of the palette.
func (p *Palette) look(st style, l look) look {
	if p == nil {
		return l
	}
	if c, ok := p.Colours[partNames[st]]; ok {
		l.dark, l.light = max(c, 0), max(c, 0)
		if c == 0 { // black, which 0 is not
			l.dark, l.light = 1, 1
		}
	}
	return l
}

// shade is the background of a shade.
func (p *Palette) shade(sh shade) ground {
	if p == nil {
		return shades[sh]
	}
	c, ok := p.Colours[shadeNames[sh]]
	if !ok || shadeNames[sh] == "" {
		return shades[sh]
	}
	if c == 0 {
		c = 1
	}
	return ground{max(c, 0), max(c, 0)}
}

// themeNamed is a theme by its name, at the depth of the terminal. light is how the
// terminal is, for the themes that go by that.
func themeNamed(name string, light bool, d depth, own *Palette) *theme {
	if name == OwnTheme && own != nil {
		switch own.Base {
		case "dark", "light":
			light = own.Base == "light"
		}
		return makeTheme(light, d, own.Base == "high-contrast", own)
	}
	switch name {
	case "dark", "light":
		light = name == "light"
	case "none":
		t := newTheme(false, noColour)
		t.depth = d // for the theme after it
		return t
	}
	return makeTheme(light, d, name == "high-contrast", nil)
}

// chooseTheme returns a theme by its name, at the colours of the terminal. askLight asks the
// terminal whether its background is light, where that decides.
func chooseTheme(name string, own *Palette, askLight func() bool) *theme {
	d, light := colourDepth(os.Getenv), false
	base := name
	if name == OwnTheme && own != nil {
		base = own.Base
	}
	if d != noColour && !slices.Contains([]string{"dark", "light", "none"}, base) {
		light = askLight()
	}
	return themeNamed(name, light, d, own)
}
