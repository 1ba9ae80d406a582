package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
	"agentlens/internal/safe"
)

// A state is a way to a screen. Between all states of a table each of its keys does
// something.
type state struct {
	table words // that the screen has
	lead  func(d *driver)
}

func press(keys ...string) func(d *driver) { return func(d *driver) { d.Press(keys...) } }

// sought searches for a text on the screen that is shown.
func sought(s string, keys ...string) func(d *driver) {
	return func(d *driver) { d.Press(keys...).Press("/").Type(s).Press("enter") }
}

// states are ways to every screen but the list of runs.
func states() []state {
	run := func(name words, keys ...string) state { return state{name, press(keys...)} }
	list := []state{
		{"in the list of stages, S", press("S", "+", "+", "u")},
		{"in the list of stages, S", press("S", "down", "right")},
		{"on the timeline, T", press("T", "H")},
		{"on the timeline, T", press("T", "$")},
		{"on the timeline, T", press("T", "0")},
		{"on a message, enter", press("g", "J", "J", "enter")},
		{"on a message, enter", press("g", "J", "J", "enter", "3")},
		{"on a message, enter", press("g", "J", "J", "enter", "4")},
		{"in a text: a document, why, the help", sought("timeline", "?")},
		{"in a text: a document, why, the help", press("?")},
		{"in a text: a document, why, the help", press("?", "G")},
		{"in a text: a document, why, the help", press("v", "g", ">", "i")},
		{"in a text: a document, why, the help", press("g", "J", "J", "enter")},
		{"in a tree: a record, a request, a document", func(d *driver) { d.Press("g", "J", "J", "enter", "3", "-", "l", "j", "j") }},
		{"in a tree: a record, a request, a document", func(d *driver) { d.Press("g", "J", "J", "enter", "3", "+", "G") }},
		{"in a tree: a record, a request, a document", sought("o", "g", "J", "J", "enter", "3", "+")},
		{"in a text: a document, why, the help", func(d *driver) { d.Press("D").Type("stderr").Press("enter") }},
		{"in a tree: a record, a request, a document", func(d *driver) { d.Press("D").Type("env").Press("enter") }},
		{"in a diff, d", press("d")},
		{"in a diff, d", press("d", ".", ".", ".")},
		{"in the comparison, C", press("C")},
		{"in the comparison, C", press("C", "right", "right", "G")},
		{"in a diff, d", press("d", "l")},
		{"in a diff, d", press("d", "d")},
		{"in a list to choose from", press(":")},
		{"in a list to choose from", press(":", "down", "pgdown")},
		{"while a search is typed, /", func(d *driver) { sought("Lisbon")(d); sought("Porto")(d); d.Press("/", "up", "up") }},
		{"while a chain is typed, s", func(d *driver) { d.Press("s", "ctrl+u").Type("sliding_window(3)") }},
		{"while a chain is typed, s", press("s", "ctrl+u")},
		{"while a search is typed, /", func(d *driver) { sought("Lisbon")(d); d.Press("/") }},
		{"after m, ' or g, which wait for a letter or a number", press("g", "1", "2")},
		run("move", "g", "j"), run("move", ":", "2", "0", "enter"), run("move", "G"),
		run("jumps", ":", "2", "0", "enter"), run("jumps", "m", "a", "G"), run("jumps", "g", "G", "ctrl+o"),
		run("calls", "[", "["), run("calls", "g", "j"), run("look", "g", "J", "y"),
		{"look", sought("Lisbon")},
		run("strategy"), run("strategy", "("), run("fold", "g", "J"), run("fold", "g", "J", "space"), run("panes"), run("panes", "1"),
		run("program"),
		{"program", sought("Lisbon")},
	}
	for _, t := range list {
		if strings.Contains(string(t.table), " ") && t.table != "on the timeline, T" { // those of the run are in its own table
			list = append(list, state{"anywhere", t.lead})
		}
	}
	return list
}

func (s state) open(t *testing.T) *driver {
	t.Helper()
	d := open(t, 120, 36, withChain(tryChain), func(c *Config) {
		c.Save = func(safe.Safe) (string, error) { return "/tmp/x", nil }
		c.Keep = func(string, string) (string, error) { return "/tmp/c.toml", nil }
		c.Export = func(_ context.Context, _ *export.Document, _ export.Format, path string) (Exported, error) {
			return Exported{Path: path}, nil
		}
	})
	s.lead(d)
	return d
}

// table is the table of a name on the screen that is shown, nil for none.
func (d *driver) table(name words) *keyTable {
	s := d.r.screen()
	for _, t := range s.own() {
		if t.name == name {
			return &t
		}
		for _, g := range byGroup(t.rows) {
			if t.name == "" && g.name == name {
				return &g
			}
		}
	}
	return nil
}

func driverKey(k string) string {
	if k == " " {
		return "space"
	}
	return k
}

// No key of a table means two things, and every row says what it does.
func TestTablesOfKeys(t *testing.T) {
	for _, table := range open(t, 120, 36).r.allTables() {
		used := map[string]words{}
		for _, a := range table.rows {
			if len(a.keys) == 0 || a.help == "" || a.run == nil {
				t.Errorf("%s: %v has no key, no help or does nothing", table.name, a.keys)
			}
			if a.hint.key != "" && !slices.Contains(strings.Fields(string(a.hint.key)), string(keyName(a.keys[0]))) && !strings.Contains(string(a.label()), strings.Fields(string(a.hint.key))[0]) {
				t.Errorf("%s: the hint %q is of other keys than %s", table.name, a.hint.key, a.label())
			}
			for _, k := range a.keys {
				if other, ok := used[k]; ok {
					t.Errorf("%s: %s is %q and %q", table.name, k, other, a.help)
				}
				used[k] = a.help
			}
		}
	}
}

// Every key of every screen is of use in some state, and does something there: the
// screen changes.
func TestEveryKeyDoesSomething(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	all := states()
	for _, table := range append(tables(t), keyTable{"anywhere", anywhere(nil)}) {
		if strings.HasPrefix(string(table.name), "in the list of runs") {
			continue // see TestKeysOfThePicker
		}
		did := map[string]bool{}
		reached := false
		for _, s := range all {
			if s.table != table.name {
				continue
			}
			shown := s.open(t).table(table.name)
			if shown == nil {
				t.Errorf("%q is not on the screen it is to be on:\n%s", table.name, s.open(t).Screen())
				continue
			}
			reached = true
			for _, a := range shown.rows {
				for _, k := range a.keys {
					if did[k] || a.why() != "" {
						continue
					}
					d := s.open(t)
					before := d.Screen()
					d.Press(driverKey(k))
					did[k] = d.quit || d.suspended || d.cleared || d.Screen() != before
				}
			}
		}
		if !reached {
			t.Errorf("no state leads to %q", table.name)
		}
		for _, a := range table.rows {
			for _, k := range a.keys {
				if !did[k] {
					t.Errorf("%q: %s does nothing anywhere: %s", table.name, k, a.help)
				}
			}
		}
	}
}

// Help is to be had on every screen, and begins with the keys of that screen.
func TestHelpEverywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	for _, s := range states() {
		if s.table == "anywhere" {
			continue
		}
		d := s.open(t)
		screen := d.r.screen()
		own := screen.own()
		d.Press("f1")
		if len(d.r.overlays) == 0 { // F1 on the help closes it
			continue
		}
		p, ok := d.r.top().(*pager)
		if !ok || p.title != "help" {
			t.Errorf("%s: F1 shows no help:\n%s", s.table, d.Screen())
			continue
		}
		if own[0].name != "" && p.blocks[0].note != own[0].name {
			t.Errorf("%s: its help begins with %q, not %q", s.table, p.blocks[0].note, own[0].name)
		}
		var all strings.Builder
		for _, b := range p.blocks {
			all.WriteString(b.text.String())
		}
		for _, table := range append(own, tables(t)...) {
			of := func(o keyTable) bool { return o.name == table.name }
			for _, a := range table.rows {
				if i := slices.IndexFunc(own, of); i >= 0 && len(own[i].rows) < len(table.rows) {
					continue // some of its keys are those of the screen on top
				}
				if !strings.Contains(all.String(), string(a.help)) {
					t.Errorf("%s: its help does not tell of %s: %s", s.table, a.label(), a.help)
				}
			}
		}
		d.Press("?")
		if now := d.r.screen(); fmt.Sprint(labels(now)) != fmt.Sprint(labels(screen)) {
			t.Errorf("%s: ? does not go back to it", s.table)
		}
	}
}

func labels(s keyScreen) []words {
	var list []words
	for _, t := range s.own() {
		for _, a := range t.rows {
			list = append(list, a.label())
		}
	}
	return list
}

// Where something is typed ? is a part of it, unless nothing could begin with it.
func TestQuestionMarkIsTyped(t *testing.T) {
	d := open(t, 120, 36).Press("/").Type("what?").Shows("/ what?", "F1 help")
	d.Press("esc", ":").Type("x?").Shows(" : x?").Press("esc", ":", "?").Shows("help", "in a list to choose from").Press("q").Shows("commands:")
}

// ctrl-c leaves lens from every screen; q and esc go back step by step to the run.
func TestWaysOut(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	for _, s := range states() {
		if d := s.open(t).Press("ctrl+c"); !d.quit {
			t.Errorf("%s: ctrl-c does not quit:\n%s", s.table, d.Screen())
		}
		d := s.open(t)
		for range 4 {
			d.Press("esc")
		}
		if d.quit || len(d.r.overlays) > 0 || d.r.chain.edit != nil || d.r.chain.list != nil || d.r.typing != nil || d.r.await != nil || d.r.strip.scrub || d.r.search != nil {
			t.Errorf("%s: esc does not go back to the run:\n%s", s.table, d.Screen())
		}
		d = s.open(t)
		if typed := d.r.screen().typed; typed != nil {
			continue
		}
		for n := 0; !d.quit; n++ {
			if d.Press("q"); n > 4 {
				t.Fatalf("%s: q does not go back:\n%s", s.table, d.Screen())
			}
		}
	}
	if d := open(t, 120, 36, func(c *Config) { c.Listed = true }).Press("z", "esc"); d.quit || !d.Press("esc").quit {
		t.Error("esc does not go back to the list of runs")
	}
	open(t, 120, 36).Press("z").Lacks("provider saw").Press("esc").Shows("provider saw").Press("esc").Shows("nothing to go back from")
}

// What the hints at the bottom say, a click on them does.
func TestClickOnHints(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	for _, s := range states() {
		d := s.open(t)
		d.r.note = ""
		screen := d.r.screen()
		at := 0
		foot := strings.Split(d.Screen(), "\n")[35]
		for _, h := range screen.hints() {
			label := " " + string(h.key) + " " + string(h.does) + " "
			if at = strings.Index(foot, label); at < 0 {
				continue
			}
			x := len([]rune(foot[:at]))
			a := screen.hinted(h, 1)
			clicked, pressed := s.open(t), s.open(t)
			clicked.r.note, pressed.r.note = "", ""
			clicked.Click(x+1, 35)
			pressed.Press(driverKey(a.keys[0]))
			if clicked.Screen() != pressed.Screen() || clicked.quit != pressed.quit {
				t.Errorf("%s: a click on %q does something else than %s:\n%s\n%s", s.table, label, a.label(), clicked.Screen(), pressed.Screen())
			}
		}
	}
	d := open(t, 120, 36)
	x, y := d.At("[ ] call")
	d.Click(x, y).Shows("◀ 12/13 ▶").Click(x+2, y).Shows("◀ 13/13 ▶").Click(x+5, y).Shows("◀ next ▶")
}

func TestKeysOfThePicker(t *testing.T) {
	fresh := func(keys ...string) *Picker {
		p := pickerOf(t, 300)
		pressed(p, keys...)
		return p
	}
	for _, a := range fresh().screen().tables[0].rows {
		for _, k := range a.keys {
			for _, p := range []*Picker{fresh("l", "down"), fresh("pgdown", "up"), fresh()} {
				before := pressed(p)
				_, cmd := p.Update(keyOf(k))
				if pressed(p) != before || cmd != nil {
					before = ""
				}
				if before == "" {
					k = ""
					break
				}
			}
			if k != "" {
				t.Errorf("%s does nothing: %s", k, a.help)
			}
		}
	}
	p := fresh()
	if screen := pressed(p, "?"); !strings.Contains(screen, "in the list of runs") || !strings.Contains(screen, "ctrl-t") {
		t.Errorf("its help:\n%s", screen)
	}
	if screen := pressed(p, "q"); !strings.Contains(screen, "300 runs") {
		t.Errorf("q does not close the help:\n%s", screen)
	}
	if screen := pressed(p, "a", "?"); !strings.Contains(screen, "> a?") {
		t.Errorf("? is not typed:\n%s", screen)
	}
	if _, cmd := p.Update(keyOf("ctrl+c")); cmd == nil {
		t.Error("ctrl-c does not quit")
	} else if _, ok := cmd().(tea.InterruptMsg); !ok {
		t.Errorf("ctrl-c gives %T", cmd())
	}
}

func keyOf(k string) tea.KeyMsg {
	if kt, ok := named[k]; ok {
		return tea.KeyMsg{Type: kt}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
}

func TestPickerMouse(t *testing.T) {
	p := pickerOf(t, 300)
	at := func(x, y int, b tea.MouseButton) string {
		p.Update(tea.MouseMsg{X: x, Y: y, Button: b, Action: tea.MouseActionPress})
		return sgr.ReplaceAllString(p.View(), "")
	}
	if line := cursorLine(at(30, listTop+2, tea.MouseButtonLeft)); !strings.Contains(line, "Task 2") || p.chosen >= 0 {
		t.Errorf("a click selects %q and chooses %d", line, p.chosen)
	}
	if at(30, listTop+2, tea.MouseButtonLeft); p.chosen != 2 {
		t.Errorf("a double click opens %d", p.chosen)
	}
	if line := cursorLine(at(1, 5, tea.MouseButtonWheelDown)); !strings.Contains(line, "Task 5") {
		t.Errorf("the wheel goes to %q", line)
	}
	for _, name := range []string{"msgs", "tokens", "cost", "title"} {
		names := strings.Split(sgr.ReplaceAllString(p.View(), ""), "\n")[listTop-1]
		by := map[string]string{"msgs": "by messages"}[name]
		if by == "" {
			by = "by " + name
		}
		if screen := at(strings.Index(names, name), listTop-1, tea.MouseButtonLeft); !strings.Contains(screen, by) {
			t.Errorf("a click on %s:\n%s", name, screen)
		}
	}
	if screen := at(4, listTop-1, tea.MouseButtonLeft); strings.Contains(screen, "title   by") {
		t.Errorf("a click on when:\n%s", screen)
	}
	foot := strings.Split(sgr.ReplaceAllString(p.View(), ""), "\n")[23]
	if screen := at(strings.Index(foot, "? help")+3, 23, tea.MouseButtonLeft); !strings.Contains(screen, "in the list of runs") {
		t.Errorf("a click on help:\n%s", screen)
	}
}

// A key that the screen does not have says so, and where they are; the next one takes
// that away.
func TestNoSuchKey(t *testing.T) {
	open(t, 120, 36).Press("f").Shows("no such key here: ? shows them").Press("j").Lacks("no such key")
	open(t, 120, 36, withChain(tryChain)).Press("S", "m").Shows("no such key here").Press("?").Shows("in the list of stages")
	open(t, 120, 36).Press("?", "E").Shows("no such key here").Press("f").Shows("lines 35–")
	open(t, 120, 36).Press("/").Type("f").Lacks("no such key")
}
