package kit

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/text"
)

// An Action is a row of a table of keys: one thing a person can do on a screen. Tables
// route keys and draw the hints at the bottom, the help, the palette and README's list.
type Action struct {
	ID    string   // its name in the palette; "" where it is not in it
	Keys  []string // as Bubble Tea names them
	Help  Words
	Hint  Hint // short, at the bottom of the screen; the first of a pair says it for both
	Group Words
	Jump  bool // where the person was is remembered, to go back to
	// Disabled says why the action is of no use now; nil or "" where it is.
	Disabled func() Words
	Run      func() tea.Cmd
}

// Do makes an action of a step that needs no command.
func Do(f func()) func() tea.Cmd {
	return func() tea.Cmd { f(); return nil }
}

// Why says why an action is of no use now, "" where it is.
func (a *Action) Why() Words {
	if a.Disabled == nil {
		return ""
	}
	return a.Disabled()
}

// Label is how the keys of an action are written for a person.
func (a *Action) Label() Words {
	var list []Words
	for _, k := range a.Keys {
		list = append(list, KeyName(k))
	}
	return safe.Join(list, " ")
}

var keyNames = map[string]Words{" ": "space", "up": "↑", "down": "↓", "left": "←", "right": "→", "pgup": "PgUp", "pgdown": "PgDn", "f1": "F1"}

// KeyName is how a key is written for a person.
func KeyName(key string) Words {
	if name, ok := keyNames[key]; ok {
		return name
	}
	var name Words
	for i := range len(key) {
		name += Letter(key[i])
	}
	if len(key) > 1 {
		return name.Replace("+", "-")
	}
	return name
}

// letters are the characters of keys, from the space on.
const letters Words = " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"

// Letter returns a printable character of ASCII, and a dot for any other byte.
func Letter(c byte) Words {
	if i := int(c) - ' '; i >= 0 && i < len(letters) {
		return letters[i : i+1]
	}
	return "·"
}

// A KeyTable is the keys of one screen, in the order of its help.
type KeyTable struct {
	Name Words
	Rows []Action
}

// Find is the row of a key, nil for none.
func (t *KeyTable) Find(key string) *Action {
	for i := range t.Rows {
		if slices.Contains(t.Rows[i].Keys, key) {
			return &t.Rows[i]
		}
	}
	return nil
}

// A KeyScreen is what keys go to. A key is that of the first table that has it; what
// is in none is typed, where something can be.
type KeyScreen struct {
	Tables []KeyTable
	Typed  func(k tea.KeyMsg) tea.Cmd // nil: nothing is typed here
	Empty  bool                       // nothing was typed yet, and nothing that is begins with ?
}

// And adds what can be done on every screen. Where text is typed ? is a part of it.
func (s KeyScreen) And(rows []Action) KeyScreen {
	if s.Typed != nil && !s.Empty {
		rows[0].Keys, rows[0].Hint.Key = []string{"f1"}, "F1"
	}
	s.Tables = append(s.Tables, KeyTable{"anywhere", rows})
	return s
}

func (s *KeyScreen) Find(key string) *Action {
	for i := range s.Tables {
		if a := s.Tables[i].Find(key); a != nil {
			return a
		}
	}
	return nil
}

// Words lists the tables as they hold here: without the keys that an earlier table has
// for something else.
func (s *KeyScreen) Words() []KeyTable {
	var list []KeyTable
	seen := map[string]bool{}
	for _, t := range s.Tables {
		left := KeyTable{Name: t.Name}
		for _, a := range t.Rows {
			a.Keys = slices.DeleteFunc(slices.Clone(a.Keys), func(k string) bool { return seen[k] })
			if len(a.Keys) > 0 {
				left.Rows = append(left.Rows, a)
			}
		}
		for i := range left.Rows {
			for _, k := range left.Rows[i].Keys {
				seen[k] = true
			}
		}
		if len(left.Rows) > 0 {
			list = append(list, left)
		}
	}
	return list
}

// Hints are those of the actions that are of use now: first the help and the way out,
// which a narrow screen must not lose.
func (s *KeyScreen) Hints() []Hint {
	var list []Hint
	first := 0
	for _, t := range s.Words() {
		for i := range t.Rows {
			a := &t.Rows[i]
			switch {
			case a.Hint.Key == "" || a.Why() != "" || slices.Contains(list, a.Hint):
			case a.ID == "help", slices.Contains(a.Keys, "esc"):
				list = slices.Insert(list, min(first, len(list)), a.Hint)
				first++
			default:
				list = append(list, a.Hint)
			}
		}
	}
	if first == 2 {
		list[0], list[1] = list[1], list[0]
	}
	return list
}

// Hinted is the action that a hint stands for: of a pair, the one whose key is written
// at cell x of it.
func (s *KeyScreen) Hinted(h Hint, x int) *Action {
	var byHint *Action
	tables := s.Words()
	keys := strings.Fields(string(h.Key))
	for n, at := 0, 1; n < len(keys); n++ {
		wide := text.Width(keys[n])
		for i := range tables {
			rows := tables[i].Rows
			for j := range rows {
				if rows[j].Hint == h && byHint == nil {
					byHint = &rows[j]
				}
				on := func(k string) bool { return string(KeyName(k)) == keys[n] }
				if x >= at && x < at+wide && slices.ContainsFunc(rows[j].Keys, on) {
					return &rows[j]
				}
			}
		}
		at += wide + 1
	}
	return byHint
}

// A Hint is a key and what it does, at the bottom of the screen.
type Hint struct{ Key, Does Words }

// A hintSpan is where a hint stands on the screen, in cells.
type hintSpan struct {
	Hint
	From, To int
}

// Hints paints hints as far as they fit.
func Hints(l *LineWriter, list []Hint) {
	for _, h := range list {
		from := l.col
		if l.Left < text.Width(string(h.Key+h.Does))+3 {
			return
		}
		l.Words(" ", Plain)
		l.Words(h.Key, KeyCap)
		l.Words(" ", Plain)
		l.Words(h.Does, Faint)
		l.Words(" ", Plain)
		l.Hinted = append(l.Hinted, hintSpan{h, from, l.col})
	}
}

// RunFoot is the order of the hints of a run, most wanted first.
var RunFoot = []string{"help", "palette", "search", "next-call", "strategy", "diff", "info", "export", "compare", "timeline", "quit", "next-error", "fold", "next-pane", "zoom"}

// FootHints are the hints of actions of a run, in the order of their ids.
func FootHints(table []Action, ids []string) []Hint {
	var list []Hint
	for _, id := range ids {
		for i := range table {
			if table[i].ID == id {
				list = append(list, table[i].Hint)
			}
		}
	}
	return list
}

// Anywhere are the keys of every screen; help opens that of the screen.
func Anywhere(help func()) []Action {
	return []Action{
		{ID: "help", Keys: []string{"?", "f1"}, Help: "this help, the keys of this screen first; F1 where ? is typed", Hint: Hint{"?", "help"}, Group: "program", Run: Do(help)},
		{ID: "redraw", Keys: []string{"ctrl+l"}, Help: "draw the screen anew", Group: "program", Run: func() tea.Cmd { return tea.ClearScreen }},
		{ID: "suspend", Keys: []string{"ctrl+z"}, Help: "to the shell; fg comes back", Group: "program", Run: func() tea.Cmd { return tea.Suspend }},
		{ID: "quit-lens", Keys: []string{"ctrl+c"}, Help: "out of lens, from any screen", Group: "program", Run: func() tea.Cmd { return tea.Interrupt }},
	}
}

// ByGroup cuts a table into those of its groups.
func ByGroup(table []Action) []KeyTable {
	var list []KeyTable
	for _, a := range table {
		i := slices.IndexFunc(list, func(t KeyTable) bool { return t.Name == a.Group })
		if i < 0 {
			i = len(list)
			list = append(list, KeyTable{Name: a.Group})
		}
		list[i].Rows = append(list[i].Rows, a)
	}
	return list
}
