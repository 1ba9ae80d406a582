package inspector

import (
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
)

// An await is a key that was pressed and wants another one after it: the letter of a
// mark, or the number of a call.
type await struct {
	label kit.Words
	take  func(k string) tea.Cmd // takes the letter
	// number says that digits are typed, up to enter. Without one, any other key is
	// pressed as if it came alone.
	number bool
	digits string
}

// Screen is what waits for a key.
func (a *await) Screen(r *inspector) kit.KeyScreen {
	rows := []kit.Action{{Keys: []string{"esc"}, Hint: kit.Hint{Key: "esc", Does: "no"}, Help: "no letter, no number", Run: kit.Do(func() { r.await = nil })}}
	if a.number && (a.digits != "" || a.take == nil) {
		rows = append(rows,
			kit.Action{Keys: []string{"enter"}, Hint: kit.Hint{Key: "enter", Does: "go"}, Help: "to the call of that number", Run: func() tea.Cmd { r.await = nil; return a.take(a.digits) }},
			kit.Action{Keys: []string{"backspace"}, Help: "take the last digit back", Run: kit.Do(func() { a.digits = a.digits[:len(a.digits)-1] })})
	}
	return kit.KeyScreen{Tables: []kit.KeyTable{{Name: "after m, ' or g, which wait for a letter or a number", Rows: rows}}, Typed: func(k tea.KeyMsg) tea.Cmd { return r.awaited(k) }}
}

// awaited gives a key to what waits for one.
func (r *inspector) awaited(k tea.KeyMsg) tea.Cmd {
	a, key := r.await, k.String()
	isDigit := len(key) == 1 && key[0] >= '0' && key[0] <= '9'
	switch {
	case !a.number:
		r.await = nil
		return a.take(key)
	case isDigit && len(a.digits) < 9:
		a.digits += key
		return nil
	}
	r.await = nil
	if a.digits == "" {
		return r.Key(k)
	}
	return nil
}

// Paint says what is waited for.
func (a *await) Paint(l *kit.LineWriter, s kit.KeyScreen) {
	l.Words(" ", kit.Plain)
	if a.digits != "" {
		l.Words("go to call ", kit.Accent)
		l.Typed(a.digits, kit.Accent)
		l.Words(" (enter) ", kit.Accent)
	} else {
		l.Words(a.label, kit.Accent)
	}
	l.Words(" ", kit.Caret)
	l.Blank(2)
	kit.Hints(l, s.Hints())
}

// setMark waits for the letter of a mark and sets it.
func (r *inspector) setMark() {
	r.await = &await{label: "mark this place with a letter: ", take: func(k string) tea.Cmd {
		if len(k) == 1 {
			r.marks[k] = r.spotNow()
			r.note = "marked: '" + kit.Letter(k[0]) + " comes back here"
		}
		return nil
	}}
}

// toMark waits for the letter of a mark and goes there.
func (r *inspector) toMark() {
	label := kit.Words("go to the mark: ")
	for _, k := range slices.Sorted(maps.Keys(r.marks)) {
		label += kit.Letter(k[0]) + " "
	}
	r.await = &await{label: label, take: func(k string) tea.Cmd {
		s, ok := r.marks[k]
		if !ok {
			r.note = "nothing is marked with that"
			return nil
		}
		r.leaveSpot()
		return r.toSpot(s)
	}}
}

func (r *inspector) noMark() kit.Words {
	if len(r.marks) == 0 {
		return "no place is marked: m and a letter marks one"
	}
	return r.NoView()
}

// toTop goes to the top; a number typed right after it is that of a call.
func (r *inspector) toTop() {
	r.End(-1)
	if r.Thread() == nil || r.focus == threadsPane {
		return
	}
	r.await = &await{label: "top; a number goes to that call: ", number: true, take: r.typedCall}
}
