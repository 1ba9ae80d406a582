package chooser_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/kit/kittest"
	"agentlens/internal/ui/screens/chooser"
)

// fruits returns a chooser for fruits. taken collects the chosen names.
func fruits(taken *[]string) *chooser.Chooser {
	take := func(name string) func() tea.Cmd {
		return func() tea.Cmd { *taken = append(*taken, name); return nil }
	}
	return chooser.New("fruits", " take ", []chooser.Choice{
		{Name: "apple", Help: "round", Run: take("apple")},
		{Name: "banana", Help: "long", Run: take("banana")},
		{Name: "cherry", Help: "not ripe", Why: "it is winter", Run: take("cherry")},
		{Name: "date N", Fill: "date "},
	})
}

func TestChoosing(t *testing.T) {
	for keys, want := range map[string]struct {
		taken  string
		closed int
	}{
		"enter":           {"apple", 1},
		"down enter":      {"banana", 1},
		"b a n enter":     {"banana", 1},
		"down down enter": {"", 0}, // not available: the chooser stays open
		"d a t enter":     {"", 0}, // needs more input: it fills the line
		"esc":             {"", 1},
		"backspace":       {"", 1},
		"a backspace":     {"", 0},
	} {
		var taken []string
		h, c := kittest.New(t), fruits(&taken)
		h.Press(c, strings.Fields(keys)...)
		if got := strings.Join(taken, " "); got != want.taken || h.Closed != want.closed {
			t.Errorf("%s: chose %q and closed %d times, want %q and %d", keys, got, h.Closed, want.taken, want.closed)
		}
	}
}

func TestDrawing(t *testing.T) {
	var taken []string
	h, c := kittest.New(t), fruits(&taken)
	h.Press(c, "c")
	screen := h.Draw(c, 60, 12)
	for _, want := range []string{" fruits", "1 choice", "▎ cherry", "not ripe · it is winter", " take c", "enter choose"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is missing in\n%s", want, screen)
		}
	}
	if n := strings.Count(screen, "\n"); n != 10 {
		t.Errorf("the chooser has %d lines above its last, want 10", n)
	}
}

// A click runs the choice in its line.
func TestClicking(t *testing.T) {
	var taken []string
	h, c := kittest.New(t), fruits(&taken)
	lines := strings.Split(h.Draw(c, 60, 24), "\n")
	for y, l := range lines {
		if strings.Contains(l, "banana") {
			c.Click(h, kit.Click{X: 4, Y: 24 - len(lines) + y})
		}
	}
	if len(taken) != 1 || taken[0] != "banana" || h.Closed != 1 {
		t.Errorf("chose %q, closed %d times, want banana and 1", taken, h.Closed)
	}
}
