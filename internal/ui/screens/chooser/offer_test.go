package chooser_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit/kittest"
	"agentlens/internal/ui/screens/chooser"
)

// Tab extends the line as far as all names agree, and lists them.
func TestCompletion(t *testing.T) {
	files := []string{"diff runs/a.jsonl", "diff runs/ab/", "diff rünes"}
	for _, c := range []struct{ typed, line, listed string }{
		{"diff r", " diff r", "runs/a.jsonl runs/ab/ rünes"},
		{"diff ru", " diff runs/a", "runs/a.jsonl runs/ab/"},
		{"diff rü", " diff rünes", ""},
		{"diff x", " diff x", ""},
	} {
		h := kittest.New(t)
		ch := chooser.New("commands", " ", nil)
		ch.Complete = func(line string) (tea.Cmd, bool) {
			var list []chooser.Choice
			for _, f := range files {
				if strings.HasPrefix(f, line) {
					list = append(list, chooser.Choice{Safe: h.Gate().Line(strings.TrimPrefix(f, "diff ")), Fill: f})
				}
			}
			ch.Offer(line, list)
			ch.Offer("another line", []chooser.Choice{{Fill: "another line, longer"}})
			return nil, true
		}
		for _, r := range c.typed {
			name := string(r)
			if name == " " {
				name = "space"
			}
			h.Press(ch, name)
		}
		for range 2 { // the second tab lists the same names
			h.Press(ch, "tab")
			screen := h.Draw(ch, 80, 20)
			var listed []string
			for _, f := range files {
				if name := strings.TrimPrefix(f, "diff "); strings.Contains(screen, "▎ "+name) || strings.Contains(screen, "  "+name) {
					listed = append(listed, name)
				}
			}
			if got := strings.Join(listed, " "); got != c.listed || !strings.Contains(screen, "\n"+c.line+" ") {
				t.Errorf("%s: listed %q, want %q, in\n%s", c.typed, got, c.listed, screen)
			}
		}
	}
}

// The choice under the cursor shows what it would do, once.
func TestLook(t *testing.T) {
	var seen []string
	look := func(name string) func() tea.Cmd {
		return func() tea.Cmd { seen = append(seen, name); return nil }
	}
	h := kittest.New(t)
	c := chooser.New("fruits", " ", []chooser.Choice{{Name: "apple", Look: look("apple")}, {Name: "banana", Look: look("banana")}})
	c.Look()
	h.Press(c, "down", "down", "up", "b", "backspace")
	if got := strings.Join(seen, " "); got != "apple banana apple banana apple" {
		t.Errorf("looked at %s", got)
	}
}
