package kit

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// TestInputKeys presses keys in a text whose cursor is at the bar.
func TestInputKeys(t *testing.T) {
	alt := func(r rune) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: true} }
	key := func(k tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: k} }
	for _, c := range []struct {
		before string
		key    tea.KeyMsg
		want   string
	}{
		{"ab|", key(tea.KeyLeft), "a|b"},
		{"|ab", key(tea.KeyLeft), "|ab"},
		{"a|b", key(tea.KeyCtrlF), "ab|"},
		{"ab|", key(tea.KeyRight), "ab|"},
		{"a|b", key(tea.KeyHome), "|ab"},
		{"a|b", key(tea.KeyCtrlE), "ab|"},
		{"ab  cd  |", alt('b'), "ab  |cd  "},
		{"ab|  cd  ", key(tea.KeyCtrlRight), "ab  cd|  "},
		{"äb|c", key(tea.KeyBackspace), "ä|c"},
		{"|ab", key(tea.KeyBackspace), "|ab"},
		{"a|b", key(tea.KeyDelete), "a|"},
		{"ab|", key(tea.KeyCtrlD), "ab|"},
		{"ab cd |ef", key(tea.KeyCtrlW), "ab |ef"},
		{"a|b c", alt('d'), "a| c"},
		{"a|b", alt('d'), "a|"},
		{"ab|", alt('d'), "ab|"},
		{"ab|cd", key(tea.KeyCtrlU), "|cd"},
		{"ab|cd", key(tea.KeyCtrlK), "ab|"},
		{"a|b", key(tea.KeyTab), "a|b"},
		{"a|b", tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}, "a |b"},
		{"a|b", tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x\ny\tz\x1b\uFFFD"), Paste: true}, "ax y z|b"},
	} {
		before, after, _ := strings.Cut(c.before, "|")
		in := NewInput(before + after)
		in.field.SetCursor(len([]rune(before)))
		changed := in.Key(c.key)
		head, tail := in.Halves()
		if got := string(head) + "|" + string(tail); got != c.want || changed != (in.String() != before+after) {
			t.Errorf("%s in %q: got %q, changed %v; want %q", c.key, c.before, got, changed, c.want)
		}
	}
}

// TestInputReplacement checks that what is typed replaces a selected text, and that a completion moves the cursor
// behind it.
func TestInputReplacement(t *testing.T) {
	in := NewInput("a\nb")
	in.Select()
	in.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("xy")})
	if in.String() != "xy" {
		t.Errorf("the text is %q", in)
	}
	in.Key(tea.KeyMsg{Type: tea.KeyLeft})
	in.Replace(0, "long")
	before, after := in.Halves()
	if string(before) != "long" || string(after) != "y" {
		t.Errorf("%q before the cursor, %q after it", string(before), string(after))
	}
}
