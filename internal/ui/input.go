package ui

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/text"
)

// An input is a line of text that is being typed: a search, a chain. Editing is
// the text input's of Bubbles, with the keys of a shell; painting is ours.
type input struct {
	field  textinput.Model
	scroll int // cells scrolled out at the left when last painted
}

func newInput(s string) *input {
	in := &input{field: textinput.New()}
	in.field.KeyMap.Paste.SetEnabled(false) // it starts a program; terminals paste by themselves
	in.field.Focus()
	in.field.SetValue(s)
	in.field.CursorEnd()
	return in
}

func (in *input) String() string { return in.field.Value() }

// key edits by one key and reports whether the text changed.
func (in *input) key(k tea.KeyMsg) bool {
	before := in.field.Value()
	in.field, _ = in.field.Update(k)
	return in.field.Value() != before
}

// halves are the text before and after the cursor.
func (in *input) halves() (before, after []rune) {
	runes := []rune(in.field.Value())
	at := min(in.field.Position(), len(runes))
	return runes[:at], runes[at:]
}

// replace puts s in the place of what stands from rune start to the cursor.
func (in *input) replace(start int, s string) {
	before, after := in.halves()
	head := string(before[:start]) + s
	in.field.SetValue(head + string(after))
	in.field.SetCursor(len([]rune(head)))
}

// word is the name that ends at the cursor, and the rune where it starts.
func (in *input) word() (word string, start int) {
	before, _ := in.halves()
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

// paint shows the text with the cursor, scrolled so that the cursor is seen.
// What is typed is the person's own: the field sanitises it, nothing redacts it.
func (in *input) paint(l *liner, st style) {
	before, after := in.halves()
	from := 0
	for from < len(before) && text.Width(string(before[from:])) >= l.left {
		from++
	}
	in.scroll = text.Width(string(before[:from]))
	l.own(words(before[from:]), st)
	under := words(" ")
	if len(after) > 0 {
		under, after = words(after[:1]), after[1:]
	}
	l.own(under, caret)
	l.own(words(after), st)
}

// number reads a whole number that is typed.
func number(s string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	return n, err == nil
}
