package help

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
)

// groups returns n groups of rows rows each.
func groups(n, rows int) []Group {
	var list []Group
	for i := range n {
		g := Group{Name: "group " + kit.Int(i+1)}
		for j := range rows {
			g.Rows = append(g.Rows, Row{Key: kit.Int(i*rows + j), Help: "row " + kit.Int(j)})
		}
		list = append(list, g)
	}
	return list
}

// The width of the screen determines the number of columns. All rows appear once, at every size.
func TestColumns(t *testing.T) {
	for w, want := range map[int]int{60: 1, 80: 1, 120: 2, 200: 3} {
		for _, h := range []int{5, 24, 36, 60} {
			lines := formOf(w).layOut(groups(7, 9), h-2)
			keys := 0
			for _, line := range lines {
				if len(line) != want {
					t.Fatalf("%d×%d: %d columns, want %d", w, h, len(line), want)
				}
				for _, c := range line {
					if c.key != "" {
						keys++
					}
				}
			}
			if keys != 63 {
				t.Errorf("%d×%d: %d rows, want 63", w, h, keys)
			}
		}
	}
}

// A long help text wraps within its column, and a long key has its own line.
func TestFlow(t *testing.T) {
	list := form{1, 8 + keyCells + 1, keyCells}.flow([]Group{{"x", []Row{{"a", "one two three"}, {"a key that is long indeed", "four"}}}})
	want := []cell{{head: "x"}, {key: "a", help: "one two"}, {help: "three"}, {key: "a key that is long indeed"}, {help: "four"}}
	if len(list) != len(want) {
		t.Fatalf("%v, want %v", list, want)
	}
	for i := range want {
		if list[i] != want[i] {
			t.Errorf("line %d is %v, want %v", i, list[i], want[i])
		}
	}
}

func TestFound(t *testing.T) {
	list := []Group{
		{"jumps", []Row{{"n", "next finding"}, {"> <", "next marker"}}},
		{"calls", []Row{{"]", "the next call"}}},
		{"panes", []Row{{"D", "the diff over the screen"}, {"esc", "back"}}},
		{"commands", []Row{{"w FILE", "write the diff"}, {"diff RUN", "compare runs"}}},
	}
	for query, want := range map[string]string{
		"":          "n,> <,],D,esc,w FILE,diff RUN",
		"n":         "n",   // a key
		"<":         "> <", // a key among several
		"next call": "]",   // words, one of the group
		"JUMPS":     "n,> <",
		"diff":      "diff RUN,w FILE,D", // a key, then words
		"xyz":       "",
	} {
		var got []string
		for _, g := range found(list, query) {
			for _, r := range g.Rows {
				got = append(got, string(r.Key))
			}
		}
		if s := strings.Join(got, ","); s != want {
			t.Errorf("%q finds %q, want %q", query, s, want)
		}
	}
}

// Typing hides rows at once; esc shows them again.
func TestSearch(t *testing.T) {
	p := New(groups(3, 4))
	p.Resize(120, 24)
	p.typing = true
	for _, r := range "7" {
		p.Keys(nil).Typed(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
	screen := strings.Join(p.Draw(kit.NewTheme(false, kit.NoColour), nil, 120, 24), "\n")
	if strings.Contains(screen, "group 1") || !strings.Contains(screen, "row 3") {
		t.Errorf("the search shows\n%s", screen)
	}
	if p.clear(); len(found(p.groups, p.line.String())) != 3 {
		t.Error("the search is not cleared")
	}
}
