package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/text"
)

// An action is a row of a table of keys: one thing a person can do on a screen. Tables
// route keys and draw the hints at the bottom, the help, the palette and README's list.
type action struct {
	id    string   // its name in the palette; "" where it is not in it
	keys  []string // as Bubble Tea names them
	help  words
	hint  hint // short, at the bottom of the screen; the first of a pair says it for both
	group words
	jump  bool // where the person was is remembered, to go back to
	// disabled says why the action is of no use now; nil or "" where it is.
	disabled func() words
	run      func() tea.Cmd
}

// do makes an action of a step that needs no command.
func do(f func()) func() tea.Cmd {
	return func() tea.Cmd { f(); return nil }
}

// why says why an action is of no use now, "" where it is.
func (a *action) why() words {
	if a.disabled == nil {
		return ""
	}
	return a.disabled()
}

// label is how the keys of an action are written for a person.
func (a *action) label() words {
	var list []string
	for _, k := range a.keys {
		list = append(list, string(keyName(k)))
	}
	return words(strings.Join(list, " "))
}

var keyNames = map[string]words{" ": "space", "up": "↑", "down": "↓", "left": "←", "right": "→", "pgup": "PgUp", "pgdown": "PgDn", "f1": "F1"}

// keyName is how a key is written for a person.
func keyName(key string) words {
	if name, ok := keyNames[key]; ok {
		return name
	}
	if len(key) > 1 {
		return words(strings.ReplaceAll(key, "+", "-"))
	}
	return words(key)
}

// A keyTable is the keys of one screen, in the order of its help.
type keyTable struct {
	name words
	rows []action
}

// find is the row of a key, nil for none.
func (t *keyTable) find(key string) *action {
	for i := range t.rows {
		if slices.Contains(t.rows[i].keys, key) {
			return &t.rows[i]
		}
	}
	return nil
}

// A keyScreen is what keys go to. A key is that of the first table that has it; what
// is in none is typed, where something can be.
type keyScreen struct {
	tables []keyTable
	typed  func(k tea.KeyMsg) tea.Cmd // nil: nothing is typed here
	empty  bool                       // nothing was typed yet, and nothing that is begins with ?
}

// and adds what can be done on every screen. Where text is typed ? is a part of it.
func (s keyScreen) and(rows []action) keyScreen {
	if s.typed != nil && !s.empty {
		rows[0].keys, rows[0].hint.key = []string{"f1"}, "F1"
	}
	s.tables = append(s.tables, keyTable{"anywhere", rows})
	return s
}

func (s *keyScreen) find(key string) *action {
	for i := range s.tables {
		if a := s.tables[i].find(key); a != nil {
			return a
		}
	}
	return nil
}

// own lists the tables as they hold here: without the keys that an earlier table has
// for something else.
func (s *keyScreen) own() []keyTable {
	var list []keyTable
	seen := map[string]bool{}
	for _, t := range s.tables {
		left := keyTable{name: t.name}
		for _, a := range t.rows {
			a.keys = slices.DeleteFunc(slices.Clone(a.keys), func(k string) bool { return seen[k] })
			if len(a.keys) > 0 {
				left.rows = append(left.rows, a)
			}
		}
		for i := range left.rows {
			for _, k := range left.rows[i].keys {
				seen[k] = true
			}
		}
		if len(left.rows) > 0 {
			list = append(list, left)
		}
	}
	return list
}

// hints are those of the actions that are of use now: first the help and the way out,
// which a narrow screen must not lose.
func (s *keyScreen) hints() []hint {
	var list []hint
	first := 0
	for _, t := range s.own() {
		for i := range t.rows {
			a := &t.rows[i]
			switch {
			case a.hint.key == "" || a.why() != "" || slices.Contains(list, a.hint):
			case a.id == "help", slices.Contains(a.keys, "esc"):
				list = slices.Insert(list, min(first, len(list)), a.hint)
				first++
			default:
				list = append(list, a.hint)
			}
		}
	}
	if first == 2 {
		list[0], list[1] = list[1], list[0]
	}
	return list
}

// hinted is the action that a hint stands for: of a pair, the one whose key is written
// at cell x of it.
func (s *keyScreen) hinted(h hint, x int) *action {
	var byHint *action
	tables := s.own()
	keys := strings.Fields(string(h.key))
	for n, at := 0, 1; n < len(keys); n++ {
		wide := text.Width(keys[n])
		for i := range tables {
			rows := tables[i].rows
			for j := range rows {
				if rows[j].hint == h && byHint == nil {
					byHint = &rows[j]
				}
				on := func(k string) bool { return string(keyName(k)) == keys[n] }
				if x >= at && x < at+wide && slices.ContainsFunc(rows[j].keys, on) {
					return &rows[j]
				}
			}
		}
		at += wide + 1
	}
	return byHint
}

// A hint is a key and what it does, at the bottom of the screen.
type hint struct{ key, does words }

// A hintSpan is where a hint stands on the screen, in cells.
type hintSpan struct {
	hint
	from, to int
}

// hints paints hints as far as they fit.
func hints(l *liner, list []hint) {
	for _, h := range list {
		from := l.col
		if l.left < text.Width(string(h.key+h.does))+3 {
			return
		}
		l.own(" ", plain)
		l.own(h.key, keyCap)
		l.own(" ", plain)
		l.own(h.does, faint)
		l.own(" ", plain)
		l.hinted = append(l.hinted, hintSpan{h, from, l.col})
	}
}

// runFoot is the order of the hints of a run, most wanted first.
var runFoot = []string{"help", "palette", "search", "next-call", "strategy", "diff", "info", "export", "compare", "timeline", "quit", "next-error", "fold", "next-pane", "zoom"}

// footHints are the hints of actions of a run, in the order of their ids.
func footHints(table []action, ids []string) []hint {
	var list []hint
	for _, id := range ids {
		for i := range table {
			if table[i].id == id {
				list = append(list, table[i].hint)
			}
		}
	}
	return list
}

// anywhere are the keys of every screen; help opens that of the screen.
func anywhere(help func()) []action {
	return []action{
		{id: "help", keys: []string{"?", "f1"}, help: "this help, the keys of this screen first; F1 where ? is typed", hint: hint{"?", "help"}, group: "program", run: do(help)},
		{id: "redraw", keys: []string{"ctrl+l"}, help: "draw the screen anew", group: "program", run: func() tea.Cmd { return tea.ClearScreen }},
		{id: "suspend", keys: []string{"ctrl+z"}, help: "to the shell; fg comes back", group: "program", run: func() tea.Cmd { return tea.Suspend }},
		{id: "quit-lens", keys: []string{"ctrl+c"}, help: "out of lens, from any screen", group: "program", run: func() tea.Cmd { return tea.Interrupt }},
	}
}

// byGroup cuts a table into those of its groups.
func byGroup(table []action) []keyTable {
	var list []keyTable
	for _, a := range table {
		i := slices.IndexFunc(list, func(t keyTable) bool { return t.name == a.group })
		if i < 0 {
			i = len(list)
			list = append(list, keyTable{name: a.group})
		}
		list[i].rows = append(list[i].rows, a)
	}
	return list
}
