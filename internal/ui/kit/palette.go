package kit

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
	Plain: "text", Strong: "strong", Dim: "dim", Faint: "faint", Accent: "accent", Title: "title", border: "border", BorderFocus: "focus",
	RoleSystem: "system", RoleUser: "user", RoleAssistant: "assistant", RoleTool: "tool",
	Changed: "changed", Dropped: "dropped", Added: "added", Marker: "marker", Failure: "error", Injected: "injected",
	Found: "found", MatchHere: "match", KeyCap: "key", Gauge: "gauge", GaugeFull: "gauge-full", Alarm: "alarm", Caret: "caret",
	CodeComment: "code-comment", CodeKeyword: "code-keyword", CodeConstant: "code-constant", codeType: "code-type", CodeFunction: "code-function",
	CodeKey: "code-key", CodeString: "code-string", CodeMeta: "code-meta", emphasis: "emphasis", Inserted: "inserted", Deleted: "deleted",
}

// shadeNames names the backgrounds it may colour; "" is that of the terminal.
var shadeNames = [numShades]string{WeakShade: "bar", CursorShade: "cursor"}

// Parts lists what a palette may colour.
func Parts() []string {
	return slices.Concat(partNames[:], shadeNames[WeakShade:])
}

// look is how a style looks with the colours of the palette.
func (p *Palette) look(st Style, l look) look {
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
func (p *Palette) shade(sh Shade) ground {
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

// ThemeNamed is a theme by its name, at the depth of the terminal. light is how the
// terminal is, for the themes that go by that.
func ThemeNamed(name string, light bool, d Depth, own *Palette) *Theme {
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
		t := NewTheme(false, NoColour)
		t.Depth = d // for the theme after it
		return t
	}
	return makeTheme(light, d, name == "high-contrast", nil)
}

// ChooseTheme returns a theme by its name, at the colours of the terminal. askLight asks the
// terminal whether its background is light, where that decides.
func ChooseTheme(name string, own *Palette, askLight func() bool) *Theme {
	d, light := colourDepth(os.Getenv), false
	base := name
	if name == OwnTheme && own != nil {
		base = own.Base
	}
	if d != NoColour && !slices.Contains([]string{"dark", "light", "none"}, base) {
		light = askLight()
	}
	return ThemeNamed(name, light, d, own)
}
