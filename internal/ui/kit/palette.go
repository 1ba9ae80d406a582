package kit

import (
	"os"
	"slices"
)

// A Palette is a theme defined by the user: a base theme and colours that replace some of
// its own.
type Palette struct {
	// Base is the name of the base theme, one of [Themes]; "" means auto.
	Base string
	// Colours maps names of [Parts] to colours: 0xRRGGBB, or -1 for the default colour of
	// the terminal.
	Colours map[string]int
}

// partNames are the names of the styles in a palette.
var partNames = [numStyles]string{
	Plain: "text", Strong: "strong", Dim: "dim", Faint: "faint", Accent: "accent", Title: "title", border: "border", BorderFocus: "focus",
	RoleSystem: "system", RoleUser: "user", RoleAssistant: "assistant", RoleTool: "tool",
	Changed: "changed", Dropped: "dropped", Added: "added", Marker: "marker", Failure: "error", Injected: "injected",
	Found: "found", MatchHere: "match", KeyCap: "key", Gauge: "gauge", GaugeFull: "gauge-full", Alarm: "alarm", Caret: "caret",
	CodeComment: "code-comment", CodeKeyword: "code-keyword", CodeConstant: "code-constant", codeType: "code-type", CodeFunction: "code-function",
	CodeKey: "code-key", CodeString: "code-string", CodeMeta: "code-meta", emphasis: "emphasis", Inserted: "inserted", Deleted: "deleted",
}

// shadeNames are the names of the shades in a palette. NoShade has no name: it is the background of
// the terminal.
var shadeNames = [numShades]string{WeakShade: "bar", CursorShade: "cursor"}

// Parts lists the names that a palette may set.
func Parts() []string {
	return slices.Concat(partNames[:], shadeNames[WeakShade:])
}

// look applies the colours of the palette to the look of a style.
func (p *Palette) look(st Style, l look) look {
	if p == nil {
		return l
	}
	if c, ok := p.Colours[partNames[st]]; ok {
		l.dark, l.light = max(c, 0), max(c, 0)
		if c == 0 { // 0 means the default colour: use the nearest black
			l.dark, l.light = 1, 1
		}
	}
	return l
}

// shade returns the background of a shade.
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

// ThemeNamed returns the named theme for a colour depth. light reports whether the terminal has a
// light background, which some themes depend on.
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
		t.Depth = d // for later changes of the theme
		return t
	}
	return makeTheme(light, d, name == "high-contrast", nil)
}

// ChooseTheme returns the named theme for this terminal. It calls askLight only if the theme
// depends on the background of the terminal.
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
