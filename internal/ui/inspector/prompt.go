package inspector

import (
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/layout"
)

// A prompt waits for more keys after a key: the letter of a mark, or a call number.
type prompt struct {
	label kit.Words
	take  func(k string) tea.Cmd // handles the letter or the number
	// number is set if the prompt takes digits, ended by enter. Before the first digit, any other
	// key keeps its own meaning.
	number bool
	digits string
}

// screen returns the keys of the prompt.
func (a *prompt) screen(r *inspector) kit.KeyScreen {
	rows := []kit.Action{{Keys: []string{"esc"}, Hint: kit.Hint{Key: "esc", Does: "no"}, Help: "no letter, no number", Run: kit.Do(func() { r.prompt = nil })}}
	if a.number && (a.digits != "" || a.take == nil) {
		rows = append(rows,
			kit.Action{Keys: []string{"enter"}, Hint: kit.Hint{Key: "enter", Does: "go"}, Help: "go to the call of that number", Run: func() tea.Cmd { r.prompt = nil; return a.take(a.digits) }},
			kit.Action{Keys: []string{"backspace"}, Help: "delete the last digit", Run: kit.Do(func() { a.digits = a.digits[:len(a.digits)-1] })})
	}
	return kit.KeyScreen{Tables: []kit.KeyTable{{Name: "after m, ' or g, which wait for a letter or a number", Rows: rows}}, Typed: func(k tea.KeyMsg) tea.Cmd { return r.promptKey(k) }}
}

// promptKey handles a key at the prompt.
func (r *inspector) promptKey(k tea.KeyMsg) tea.Cmd {
	a, key := r.prompt, k.String()
	isDigit := len(key) == 1 && key[0] >= '0' && key[0] <= '9'
	switch {
	case !a.number:
		r.prompt = nil
		return a.take(key)
	case isDigit && len(a.digits) < 9:
		a.digits += key
		return nil
	}
	r.prompt = nil
	if a.digits == "" {
		return r.key(k)
	}
	return nil
}

// paint paints the label of the prompt.
func (a *prompt) paint(l *kit.LineWriter, s kit.KeyScreen) {
	l.Words(" ", kit.Plain)
	if a.digits != "" {
		l.Words(goToCall, kit.Accent)
		l.Typed(a.digits, kit.Accent)
		l.Words(" (enter) ", kit.Accent)
	} else {
		l.Words(a.label, kit.Accent)
	}
	l.Words(" ", kit.Caret)
	l.Blank(2)
	kit.Hints(l, s.Hints())
}

// setMark asks for a letter and stores the current position under it.
func (r *inspector) setMark() {
	r.prompt = &prompt{label: markWith, take: func(k string) tea.Cmd {
		if len(k) == 1 {
			r.marks[k] = r.spotNow()
			r.note = "marked: '" + kit.Letter(k[0]) + comesBack
		}
		return nil
	}}
}

// toMark asks for the letter of a mark and goes to its position.
func (r *inspector) toMark() {
	label := kit.Words(goToMark)
	for _, k := range slices.Sorted(maps.Keys(r.marks)) {
		label += kit.Letter(k[0]) + " "
	}
	r.prompt = &prompt{label: label, take: func(k string) tea.Cmd {
		s, ok := r.marks[k]
		if !ok {
			r.note = noSuchMark
			return nil
		}
		r.leaveSpot()
		return r.toSpot(s)
	}}
}

func (r *inspector) noMark() kit.Words {
	if len(r.marks) == 0 {
		return noMarks
	}
	return r.NoView()
}

// toTop goes to the top. Digits typed next select a call instead.
func (r *inspector) toTop() {
	r.end(-1)
	if r.Thread() == nil || r.focus == layout.Threads {
		return
	}
	r.prompt = &prompt{label: topOrCall, number: true, take: r.typedCall}
}
