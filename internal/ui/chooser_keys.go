package ui

import tea "github.com/charmbracelet/bubbletea"

// screen is the line of a chooser and the choices above it.
func (c *chooser) keyTables(h host) keyScreen {
	choose := func() tea.Cmd { return c.choose(h) }
	leave := func() tea.Cmd { return closeThen(h, c.leave) }
	move := func(n int) func() tea.Cmd { return do(func() { c.moveBy(n) }) }
	rows := []action{
		{keys: []string{"enter"}, hint: hint{"enter", "choose"}, help: "take what the cursor is on", disabled: c.nothing, run: choose},
		{keys: []string{"down", "ctrl+n", "ctrl+j"}, hint: hint{"↑ ↓", "move"}, help: "the next one", run: move(1)},
		{keys: []string{"up", "ctrl+p", "ctrl+k", "shift+tab"}, help: "the one before", run: move(-1)},
		{keys: []string{"pgdown"}, help: "a page down", run: move(c.rows)},
		{keys: []string{"pgup"}, help: "a page up", run: move(-c.rows)},
		{keys: []string{"tab"}, hint: hint{"tab", "complete"}, help: "type the name of what the cursor is on", disabled: c.nothing, run: do(func() { c.fill(c.at(c.cursor)) })},
		{keys: []string{"esc"}, hint: hint{"esc", "close"}, help: "close", run: leave},
	}
	empty := c.line.String() == ""
	if empty {
		rows = append(rows, action{keys: []string{"backspace"}, help: "close, where nothing is typed", run: leave})
	}
	return keyScreen{
		tables: []keyTable{{"in a list to choose from", rows}},
		typed: func(k tea.KeyMsg) tea.Cmd {
			if c.line.key(k) {
				c.filter()
			}
			return nil
		},
		empty: empty,
	}
}

// nothing says that there is nothing under the cursor.
func (c *chooser) nothing() words {
	if c.cursor >= c.count() {
		return "nothing fits what is typed"
	}
	return ""
}

func (c *chooser) foot(l *liner, s keyScreen) { hints(l, s.hints()) }
