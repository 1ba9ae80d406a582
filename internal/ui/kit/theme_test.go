package kit

import (
	"fmt"
	"strings"
	"testing"
)

// Every style of the high-contrast theme is legible on dark and light backgrounds.
func TestHighContrast(t *testing.T) {
	for st := range numStyles {
		l := highContrast(looks[st])
		if c := contrastOf(l.dark, 0); l.dark != 0 && c < wanted {
			t.Errorf("style %d on black: %06x has a contrast of %.1f", st, l.dark, c)
		}
		if c := contrastOf(l.light, 0xffffff); l.light != 0 && c < wanted {
			t.Errorf("style %d on white: %06x has a contrast of %.1f", st, l.light, c)
		}
	}
	if c := contrastOf(0, 0xffffff); c < 20.9 || c > 21.1 {
		t.Errorf("black on white has a contrast of %v", c)
	}
	th := makeTheme(false, TrueColour, true, nil)
	if !strings.Contains(th.Sgr[CursorShade][Plain], ";7") || strings.Contains(th.Sgr[NoShade][Faint], "38;") {
		t.Errorf("cursor %q, faint %q", th.Sgr[CursorShade][Plain], th.Sgr[NoShade][Faint])
	}
}

// A palette replaces the colours that it names and keeps the others of its base theme.
func TestOwnColours(t *testing.T) {
	own := &Palette{Base: "light", Colours: map[string]int{"user": 0x010203, "faint": -1, "cursor": 0x0a0b0c}}
	th, base := ThemeNamed(OwnTheme, false, TrueColour, own), NewTheme(true, TrueColour)
	if got := th.Sgr[NoShade][RoleUser]; !strings.Contains(got, "38;2;1;2;3") {
		t.Errorf("the style of users is %q", got)
	}
	if got := th.Sgr[NoShade][Faint]; strings.Contains(got, "38;") {
		t.Errorf("the faint style is %q, want the terminal's default colour", got)
	}
	if got := th.Sgr[CursorShade][Plain]; !strings.Contains(got, "48;2;10;11;12") {
		t.Errorf("the cursor row is %q", got)
	}
	if th.Sgr[NoShade][RoleTool] != base.Sgr[NoShade][RoleTool] {
		t.Error("a style that the palette does not name differs from the base theme")
	}
	if plain := ThemeNamed(OwnTheme, false, NoColour, own); plain.Coloured || plain.Sgr != NewTheme(false, NoColour).Sgr {
		t.Error("a terminal without colours gets colours")
	}
	seen := map[string]bool{}
	for _, name := range Parts() {
		if name == "" || seen[name] {
			t.Errorf("the name %q is empty or a duplicate", name)
		}
		seen[name] = true
	}
	if len(seen) != int(numStyles)+int(numShades)-1 {
		t.Errorf("a palette may set %d names, want %d", len(seen), int(numStyles)+int(numShades)-1)
	}
}

// commonGrounds are the backgrounds of common dark (false) and light (true) terminals.
var commonGrounds = map[bool][]int{false: {0x000000, 0x0d1117, 0x1e1e1e}, true: {0xffffff, 0xfdf6e3}}

// Text of every style is legible on every shade of both themes. Decoration is visible on its
// background.
func TestContrast(t *testing.T) {
	decoration := map[Style]bool{border: true, Gauge: true}
	colourOf := func(sgr, kind string) (int, bool) {
		_, rest, ok := strings.Cut(sgr, kind+";2;")
		var r, g, b int
		_, err := fmt.Sscanf(rest, "%d;%d;%d", &r, &g, &b)
		return r<<16 | g<<8 | b, ok && err == nil
	}
	checked := 0
	for _, light := range []bool{false, true} {
		for _, high := range []bool{false, true} {
			th := makeTheme(light, TrueColour, high, nil)
			for sh := range numShades {
				for st := range numStyles {
					sgr := th.Sgr[sh][st]
					fore, ok := colourOf(sgr, "38")
					if !ok { // the terminal's own
						continue
					}
					grounds := commonGrounds[light]
					if behind, ok := colourOf(sgr, "48"); ok {
						grounds = []int{behind}
					}
					least := 4.5
					switch {
					case decoration[st]:
						least = 3
					case high:
						least, grounds = 7, grounds[:1]
					}
					for _, g := range grounds {
						checked++
						if c := contrastOf(fore, g); c < least {
							t.Errorf("%s (light %v, high contrast %v) on shade %d: %06x on %06x has a contrast of %.2f, less than %v", partNames[st], light, high, sh, fore, g, c, least)
						}
					}
				}
			}
		}
	}
	if checked < 300 {
		t.Errorf("checked %d colours, want at least 300", checked)
	}
}

func TestColourDepth(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want Depth
	}{
		{map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}, TrueColour},
		{map[string]string{"TERM": "xterm-256color"}, colours256},
		{map[string]string{"TERM": "linux"}, colours16},
		{map[string]string{"TERM": "dumb"}, NoColour},
		{map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1", "COLORTERM": "truecolor"}, NoColour},
	} {
		if got := colourDepth(func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%v: %d, want %d", c.env, got, c.want)
		}
	}
}

func TestThemesDiffer(t *testing.T) {
	dark, light, none := NewTheme(false, TrueColour), NewTheme(true, TrueColour), NewTheme(true, NoColour)
	if dark.Sgr[CursorShade][RoleUser] == light.Sgr[CursorShade][RoleUser] {
		t.Error("dark and light look the same")
	}
	for _, st := range none.Sgr {
		for _, s := range st {
			if strings.Contains(s, "38;") || strings.Contains(s, "48;") {
				t.Errorf("a screen without colours has %q", s)
			}
		}
	}
	if c := NewTheme(false, colours16).Sgr[NoShade][RoleUser]; c != "\x1b[0;32m" {
		t.Errorf("green in 16 colours is %q", c)
	}
	if c := NewTheme(false, colours256).Sgr[NoShade][RoleUser]; !strings.Contains(c, "38;5;") {
		t.Errorf("green in 256 colours is %q", c)
	}
}
