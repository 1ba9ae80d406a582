package kit

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/text"
)

// An Input is a line of text that the user types, such as a search or a chain.
type Input struct {
	field  field
	Scroll int // hidden cells at the left, as last painted
	// Selected is set while all of the text is selected: what is typed replaces it, any other key keeps it.
	Selected bool
}

// NewInput returns an input with text s and the cursor at its end.
func NewInput(s string) *Input { return &Input{field: newField(s)} }

func (in *Input) String() string { return string(in.field.runes) }

// Select selects all of the text.
func (in *Input) Select() { in.Selected = len(in.field.runes) > 0 }

// Key handles a key and reports whether the text changed.
func (in *Input) Key(k tea.KeyMsg) bool {
	before := in.String()
	if in.Selected {
		in.Selected = false
		switch k.Type {
		case tea.KeyRunes, tea.KeySpace, tea.KeyBackspace, tea.KeyDelete:
			in.field = field{}
		}
	}
	in.field.key(k)
	return in.String() != before
}

// Halves returns the text before and after the cursor.
func (in *Input) Halves() (before, after []rune) {
	runes := slices.Clone(in.field.runes)
	return runes[:in.field.at], runes[in.field.at:]
}

// Replace replaces the text between rune start and the cursor with s.
func (in *Input) Replace(start int, s string) {
	in.Selected = false
	before, after := in.Halves()
	head := newField(string(before[:start]) + s)
	in.field = field{append(head.runes, after...), head.at}
}

// Word returns the name that ends at the cursor, and the index of its first character.
func (in *Input) Word() (word string, start int) {
	before, _ := in.Halves()
	i := len(before)
	for i > 0 && isName(before[i-1]) {
		i--
	}
	return string(before[i:]), i
}

// isName reports whether r may occur in the name of a strategy or preset.
func isName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '@'
}

// Paint paints the text and scrolls to the cursor. Typed text belongs to the user: the input
// sanitises it but does not redact it.
func (in *Input) Paint(l *LineWriter, st Style) {
	before, after := in.Halves()
	from := 0
	for from < len(before) && text.Width(string(before[from:])) >= l.Left {
		from++
	}
	in.Scroll = text.Width(string(before[:from]))
	if in.Selected {
		st = Caret
	}
	l.Typed(string(before[from:]), st)
	if len(after) == 0 {
		after = []rune{' '}
	}
	l.Typed(string(after[:1]), Caret)
	l.Typed(string(after[1:]), st)
}

// ParseInt parses a whole number that the user typed.
func ParseInt(s string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil
}
