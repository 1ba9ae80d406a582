package kit

import (
	"math"
	"strconv"
	"strings"
)

// A Style is the role of a piece of text. A theme maps styles to colours.
type Style uint8

// Styles.
const (
	Plain Style = iota
	Strong
	Dim
	Faint
	Accent
	Title
	border
	BorderFocus
	RoleSystem
	RoleUser
	RoleAssistant
	RoleTool
	Changed
	Dropped
	Added
	Marker
	Failure
	Injected
	Found
	MatchHere
	KeyCap
	Gauge
	GaugeFull
	Alarm
	Caret
	CodeComment
	CodeKeyword
	CodeConstant
	codeType
	CodeFunction
	CodeKey
	CodeString
	CodeMeta
	emphasis
	Inserted
	Deleted
	numStyles
)

// A Shade is the background of a row.
type Shade uint8

// Shades.
const (
	NoShade Shade = iota
	WeakShade
	CursorShade
	numShades
)

// A Theme holds the SGR sequence of every style on every shade.
type Theme struct {
	name     string
	Coloured bool
	Light    bool
	Depth    Depth // of the terminal, even if the theme uses fewer colours
	Sgr      [numShades][numStyles]string
}

// A look is the appearance of a style: SGR attributes, and colours as 0xRRGGBB for dark and
// light backgrounds. 0 is the default colour of the terminal. plainAttr applies on a screen
// without colours.
type look struct {
	attr, plainAttr string
	dark, light     int
}

var looks = [numStyles]look{
	Plain:         {},
	Strong:        {attr: "1", plainAttr: "1"},
	Dim:           {dark: 0x9aa3ad, light: 0x535c66},
	Faint:         {dark: 0x868f99, light: 0x66707a},
	Accent:        {attr: "1", plainAttr: "1", dark: 0x79c0ff, light: 0x0550ae},
	Title:         {dark: 0xc9d1d9, light: 0x24292f},
	border:        {dark: 0x6a727c, light: 0x868e97},
	BorderFocus:   {dark: 0x6cb6ff, light: 0x0969da, plainAttr: "1"},
	RoleSystem:    {dark: 0xbc8cff, light: 0x8250df},
	RoleUser:      {dark: 0x7ee787, light: 0x116329},
	RoleAssistant: {dark: 0x79c0ff, light: 0x0550ae},
	RoleTool:      {dark: 0xd6b656, light: 0x7d4e00},
	Changed:       {dark: 0xffa657, light: 0xbc4c00},
	Dropped:       {dark: 0xd98e88, light: 0x9c3a34},
	Added:         {dark: 0x56d4bc, light: 0x1b7c83},
	Marker:        {dark: 0xd2a8ff, light: 0x8250df},
	Failure:       {dark: 0xff7b72, light: 0xcf222e, plainAttr: "1"},
	Injected:      {dark: 0xe3a6d8, light: 0x99286e},
	Found:         {attr: "4", plainAttr: "4", dark: 0xf2cc60, light: 0x946300},
	MatchHere:     {attr: "7", plainAttr: "7", dark: 0xf2cc60, light: 0x946300},
	KeyCap:        {dark: 0xc9d1d9, light: 0x24292f, plainAttr: "1"},
	Gauge:         {dark: 0x6a727c, light: 0x868e97},
	GaugeFull:     {dark: 0x56d4bc, light: 0x1b7c83},
	Caret:         {attr: "7", plainAttr: "7"},
	Alarm:         {attr: "1;7", plainAttr: "1;7", dark: 0xff7b72, light: 0xcf222e},
	CodeComment:   {dark: 0x9198a1, light: 0x66707a},
	CodeKeyword:   {dark: 0xff7b72, light: 0xcf222e},
	CodeConstant:  {dark: 0x79c0ff, light: 0x0550ae},
	codeType:      {dark: 0xffa657, light: 0x953800},
	CodeFunction:  {dark: 0xd2a8ff, light: 0x8250df},
	CodeKey:       {dark: 0x7ee787, light: 0x116329},
	CodeString:    {dark: 0xa5d6ff, light: 0x0a3069},
	CodeMeta:      {dark: 0x56d4bc, light: 0x1b7c83},
	emphasis:      {attr: "3"},
	Inserted:      {dark: 0x7ee787, light: 0x116329},
	Deleted:       {dark: 0xff7b72, light: 0xcf222e},
}

// A ground is the background colour of a shade, for dark and light themes.
type ground struct{ dark, light int }

var shades = [numShades]ground{
	WeakShade:   {0x1b212a, 0xeef1f5},
	CursorShade: {0x263449, 0xdbe9fb},
}

// Depth is the number of colours of a terminal.
type Depth uint8

// Colour depths.
const (
	NoColour Depth = iota
	colours16
	colours256
	TrueColour
)

// OwnTheme is the name of the theme that a [Palette] defines.
const OwnTheme = "own"

// NewTheme returns the dark or the light theme for a colour depth.
func NewTheme(light bool, d Depth) *Theme { return makeTheme(light, d, false, nil) }

// makeTheme builds a theme. contrast raises its contrast; own holds the user's colours, or
// is nil.
func makeTheme(light bool, d Depth, contrast bool, own *Palette) *Theme {
	t := &Theme{name: "dark", Coloured: d != NoColour, Light: light, Depth: d}
	if light {
		t.name = "light"
	}
	if d == NoColour {
		t.name = "none"
	}
	for sh := range numShades {
		for st := range numStyles {
			l := readable(lookOn(st, sh, d), shades[sh])
			if contrast {
				l = highContrast(l)
			}
			t.Sgr[sh][st] = sequence(own.look(st, l), own.shade(sh), sh, light, d, contrast)
		}
	}
	return t
}

// lookOn returns the look of a style on a shade. On terminals with 16 colours, code has no
// colours on the cursor row, which is shown in reverse video.
func lookOn(st Style, sh Shade, d Depth) look {
	if st >= CodeComment && sh == CursorShade && d == colours16 {
		return looks[Plain]
	}
	return looks[st]
}

func sequence(l look, back ground, sh Shade, light bool, d Depth, contrast bool) string {
	params := []string{"0"}
	if d == NoColour {
		if l.plainAttr != "" {
			params = append(params, l.plainAttr)
		}
		if sh == CursorShade {
			params = append(params, "7")
		}
		return "\x1b[" + strings.Join(params, ";") + "m"
	}
	if l.attr != "" {
		params = append(params, l.attr)
	}
	fore, behind := l.dark, back.dark
	if light {
		fore, behind = l.light, back.light
	}
	if contrast { // reverse video shows the cursor; there are no shades
		behind = 0
		if sh == CursorShade {
			params, fore = append(params, "7"), 0
		}
	}
	if fore != 0 {
		params = append(params, colour(fore, 38, d, light))
	}
	switch {
	case behind == 0:
	case d == colours16 && sh == CursorShade:
		params = append(params, "7")
	case d > colours16:
		params = append(params, colour(behind, 48, d, light))
	}
	return "\x1b[" + strings.Join(params, ";") + "m"
}

// colour returns the SGR parameter of a colour. ground is 38 (foreground) or 48
// (background).
func colour(rgb, ground int, d Depth, light bool) string {
	r, g, b := rgb>>16, rgb>>8&255, rgb&255
	switch d {
	case TrueColour:
		return strconv.Itoa(ground) + ";2;" + strconv.Itoa(r) + ";" + strconv.Itoa(g) + ";" + strconv.Itoa(b)
	case colours256:
		return strconv.Itoa(ground) + ";5;" + strconv.Itoa(near256(r, g, b))
	}
	return strconv.Itoa(ground - 8 + near16(r, g, b, light))
}

// near256 returns the nearest colour of the 256-colour cube or its greys.
func near256(r, g, b int) int {
	steps := [...]int{0, 95, 135, 175, 215, 255}
	level := func(v int) (i int) {
		for i < 5 && (steps[i]+steps[i+1])/2 < v {
			i++
		}
		return i
	}
	lr, lg, lb := level(r), level(g), level(b)
	grey := min(max((r+g+b)/3-3, 0)/10, 23)
	v := 8 + 10*grey
	if distance(r, g, b, v, v, v) < distance(r, g, b, steps[lr], steps[lg], steps[lb]) {
		return 232 + grey
	}
	return 16 + 36*lr + 6*lg + lb
}

// near16 returns the nearest ANSI colour as an offset from 30; bright colours start at 60.
// On black it uses light grey for text, because dark grey is hard to read on many terminals.
func near16(r, g, b int, light bool) int {
	lo, hi := min(r, g, b), max(r, g, b)
	if hi-lo < 40 { // a grey
		if light && hi < 170 || hi < 128 {
			return 60
		}
		return 7
	}
	n := 0
	for bit, v := range [...]int{r, g, b} {
		if v > (lo+hi)/2 {
			n |= 1 << bit
		}
	}
	return n
}

func distance(r, g, b, r2, g2, b2 int) float64 {
	return math.Pow(float64(r-r2), 2) + math.Pow(float64(g-g2), 2) + math.Pow(float64(b-b2), 2)
}

// colourDepth derives the colour depth of the terminal from the environment.
func colourDepth(env func(string) string) Depth {
	name := env("TERM")
	switch c := env("COLORTERM"); {
	case env("NO_COLOR") != "", name == "dumb":
		return NoColour
	case c == "truecolor", c == "24bit":
		return TrueColour
	case strings.Contains(name, "256color"), env("TMUX") != "", strings.Contains(name, "kitty"), strings.Contains(name, "alacritty"):
		return colours256
	}
	return colours16
}

// Themes lists the names of the themes. auto asks the terminal for its background.
func Themes() []string { return []string{"auto", "dark", "light", "high-contrast", "none"} }
