package chooser_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/kit/kittest"
	"agentlens/internal/ui/screens/chooser"
)

// fruits offers three choices; taken names those that were chosen.
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
		"down down enter": {"", 0}, // of no use now: it stays open
		"d a t enter":     {"", 0}, // needs more: it is typed into the line
		"esc":             {"", 1},
		"backspace":       {"", 1},
		"a backspace":     {"", 0},
	} {
		var taken []string
		h, c := kittest.New(t), fruits(&taken)
		h.Press(c, strings.Fields(keys)...)
		if got := strings.Join(taken, " "); got != want.taken || h.Closed != want.closed {
			t.Errorf("%s: took %q and closed %d times, want %q and %d", keys, got, h.Closed, want.taken, want.closed)
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
			t.Errorf("no %q in\n%s", want, screen)
		}
	}
	if n := strings.Count(screen, "\n"); n != 10 {
		t.Errorf("%d lines and the last one, on a screen of 12", n)
	}
}

// A click chooses what is in its line.
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
		t.Errorf("took %q, closed %d times", taken, h.Closed)
	}
}
