package ui

import (
	"strings"
	"testing"

	"agentlens/internal/ui/uitest"
)

// Every style of the theme of high contrast can be read, on dark and on light.
func TestHighContrast(t *testing.T) {
	for st := range numStyles {
		l := contrasty(looks[st])
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
	d := openTheme(t, 160, 50, Config{Name: "x", Gate: newGate(t), Load: load(uitest.Run())}, newTheme(false, trueColour))
	begin := d.r.View()
	for _, name := range []string{"light", "high-contrast", "none"} {
		d.Press(":").Type("theme " + name).Press("enter")
		if d.Screen(); d.r.View() == begin {
			t.Errorf("the theme %s looks like the first one", name)
		}
	}
	d.Press(":").Type("theme pink").Press("enter").Shows("there is no theme pink")
	if d.Press(":").Type("theme auto").Press("enter"); d.r.View() != begin {
		t.Error("auto is not as it began")
	}
	th := makeTheme(false, trueColour, true)
	if !strings.Contains(th.sgr[cursorShade][plain], ";7") || strings.Contains(th.sgr[noShade][faint], "38;") {
		t.Errorf("cursor %q, faint %q", th.sgr[cursorShade][plain], th.sgr[noShade][faint])
	}
}
