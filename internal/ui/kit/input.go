package kit

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/text"
)

// An Input is a line of text that is being typed: a search, a chain. Editing is
// the text input's of Bubbles, with the keys of a shell; painting is ours.
type Input struct {
	field  textinput.Model
	Scroll int // cells scrolled out at the left when last painted
}

func NewInput(s string) *Input {
	in := &Input{field: textinput.New()}
	in.field.KeyMap.Paste.SetEnabled(false) // it starts a program; terminals paste by themselves
	in.field.Focus()
	in.field.SetValue(s)
	in.field.CursorEnd()
	return in
}

func (in *Input) String() string { return in.field.Value() }

// Key edits by one key and reports whether the text changed.
func (in *Input) Key(k tea.KeyMsg) bool {
	before := in.field.Value()
	in.field, _ = in.field.Update(k)
	return in.field.Value() != before
}

// Halves are the text before and after the cursor.
func (in *Input) Halves() (before, after []rune) {
	runes := []rune(in.field.Value())
	at := min(in.field.Position(), len(runes))
	return runes[:at], runes[at:]
}

// Replace puts s in the place of what stands from rune start to the cursor.
func (in *Input) Replace(start int, s string) {
	before, after := in.Halves()
	head := string(before[:start]) + s
	in.field.SetValue(head + string(after))
	in.field.SetCursor(len([]rune(head)))
}

// Word is the name that ends at the cursor, and the rune where it starts.
func (in *Input) Word() (word string, start int) {
	before, _ := in.Halves()
	i := len(before)
	for i > 0 && isName(before[i-1]) {
		i--
	}
	return string(before[i:]), i
}

// isName reports whether r may stand in the name of a strategy or preset.
func isName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '@'
}

// Paint shows the text with the cursor, scrolled so that the cursor is seen.
// What is typed is the person's own: the field sanitises it, nothing redacts it.
func (in *Input) Paint(l *LineWriter, st Style) {
	before, after := in.Halves()
	from := 0
	for from < len(before) && text.Width(string(before[from:])) >= l.Left {
		from++
	}
	in.Scroll = text.Width(string(before[:from]))
	l.Typed(string(before[from:]), st)
	if len(after) == 0 {
		after = []rune{' '}
	}
	l.Typed(string(after[:1]), Caret)
	l.Typed(string(after[1:]), st)
}

// ParseInt reads a whole number that is typed.
func ParseInt(s string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil
}
