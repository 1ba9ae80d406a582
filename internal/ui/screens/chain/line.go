package chain

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/ui/kit"
)

// A line is a chain being typed.
type line struct {
	presets []curate.Preset
	input   *kit.Input
	good    string // the last chain without a fault, in normal form
	err     error
	insist  bool   // enter was pressed: the fault is shown even at the end of the line
	held    string // a chain with programs, which runs once enter takes it

	cycle  []string // names that tab goes through
	nth    int
	prefix string // what was typed before the first tab
}

// Type begins to type the chain in force.
func (e *Editor) Type() {
	e.aside = false
	e.line = &line{presets: e.presets, input: kit.NewInput(e.text), good: e.text}
}

// Try takes a chain that was typed as a whole. A chain with a fault stays in the line.
func (e *Editor) Try(h kit.Host, typed string) tea.Cmd {
	e.Type()
	e.line.input = kit.NewInput(typed)
	changed := e.line.parse()
	if e.line.err != nil {
		return nil
	}
	return e.take(h, changed)
}

// Fault shows an error of the view of the chain that is typed. It returns false if none is.
func (e *Editor) Fault(err error) bool {
	if e.line != nil {
		e.line.err = err
	}
	return e.line != nil
}

// LineKeys returns the keys while a chain is typed.
func (e *Editor) LineKeys(h kit.Host) kit.KeyScreen {
	complete := func(d int) func() tea.Cmd {
		return func() tea.Cmd { e.line.complete(d); return form(h, e.line.parse()) }
	}
	return kit.KeyScreen{
		Tables: []kit.KeyTable{{Name: "while a chain is typed, s", Rows: []kit.Action{
			{Keys: []string{"enter"}, Help: "take the chain", Run: func() tea.Cmd { return e.enter(h) }},
			{Keys: []string{"tab"}, Help: "the next name that fits, or the next value of the parameter", Run: complete(1)},
			{Keys: []string{"shift+tab"}, Help: "the name or value before", Run: complete(-1)},
			{Keys: []string{"esc"}, Help: "back to the chain there was", Run: func() tea.Cmd { return e.cancel(h) }},
		}}},
		Typed: func(k tea.KeyMsg) tea.Cmd {
			if !e.line.input.Key(k) {
				return nil
			}
			e.line.cycle = nil
			return form(h, e.line.parse())
		},
		Empty: e.line == nil || e.line.input.String() == "",
	}
}

// enter takes the chain. A chain with a fault stays in the line, and the fault is shown.
func (e *Editor) enter(h kit.Host) tea.Cmd {
	if e.line.err != nil {
		e.line.insist = true
		return nil
	}
	return e.take(h, false)
}

// take puts the chain of the line in force.
func (e *Editor) take(h kit.Host, changed bool) tea.Cmd {
	if e.line.held != "" {
		e.line.good, changed = e.line.held, true
	}
	e.text, e.line = e.line.good, nil
	return form(h, changed)
}

// cancel goes back to the chain in force.
func (e *Editor) cancel(h kit.Host) tea.Cmd {
	changed := e.line.good != e.text
	e.line = nil
	return form(h, changed)
}

// parse reads the line and reports whether its chain changed. With a fault the last good chain
// stays.
func (c *line) parse() (changed bool) {
	c.err, c.held, c.insist = nil, "", false
	typed := c.input.String()
	normal := ""
	if strings.TrimSpace(typed) != "" {
		chain, err := curate.ParseWith(typed, c.presets)
		if err != nil {
			c.err = err
			return false
		}
		if normal = chain.String(); len(chain.Programs()) > 0 && normal != c.good {
			c.held = normal // half a chain must not run a program
			return false
		}
	}
	changed = normal != c.good
	c.good = normal
	return changed
}
