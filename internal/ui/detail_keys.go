package ui

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
)

// screen is the tabs of a message, with the keys of the one that is shown.
func (d *detail) keyTables(h host) keyScreen {
	inner := d.tabs[d.at]
	if inner == nil {
		return keyScreen{tables: []keyTable{d.table(h)}}
	}
	s := inner.keyTables(h)
	if s.typed == nil {
		s.tables = append([]keyTable{d.table(h)}, s.tables...)
	}
	return s
}

func (d *detail) table(h host) keyTable {
	turn := func(n int) func() tea.Cmd {
		return func() tea.Cmd { return d.toTab(h, (d.at+n+numTabs)%numTabs) }
	}
	message := func(n int) func() tea.Cmd {
		return func() tea.Cmd { return d.again(h, detailIntent{n, d.at, d.form}) }
	}
	rows := []action{
		{keys: []string{"tab"}, hint: hint{"tab", "next side"}, help: "the next side of the message", run: turn(1)},
		{keys: []string{"shift+tab"}, help: "the side before", run: turn(-1)},
		{keys: []string{"J"}, hint: hint{"J K", "message"}, help: "the next message", run: message(1)},
		{keys: []string{"K"}, help: "the message before", run: message(-1)},
		{keys: []string{"f"}, help: "on the request: as the next provider takes it", disabled: d.noForm, run: func() tea.Cmd { return d.again(h, detailIntent{0, d.at, (d.form + 1) % len(d.src.forms)}) }},
		{keys: []string{"R"}, help: "reveal secrets, or mask them again", run: func() tea.Cmd {
			return h.ask(revealIntent{func() tea.Cmd { return h.ask(detailIntent{0, d.at, d.form}) }})
		}},
	}
	if rows[4].why() == "" {
		rows[4].hint = hint{"f", "next form"}
	}
	for i, name := range tabNames {
		rows = append(rows, action{keys: []string{strconv.Itoa(i + 1)}, help: "the side: " + name, run: func() tea.Cmd { return d.toTab(h, i) }})
	}
	if _, ok := d.tabs[d.at].(*treeView); !ok { // a tree copies the value under its cursor
		rows = append(rows, action{keys: []string{"y"}, hint: hint{"y", "copy"}, help: "copy the message, masked, to the clipboard of the terminal", run: func() tea.Cmd { return h.ask(copyMessageIntent{}) }})
	}
	return keyTable{"on a message, enter", append(rows, action{keys: []string{"esc", "q"}, hint: hint{"esc", "close"}, help: "close", run: h.pop})}
}

// again closes the message and opens the one that is asked for.
func (d *detail) again(h host, i detailIntent) tea.Cmd {
	return closeThen(h, func() tea.Cmd { return h.ask(i) })
}

func (d *detail) noForm() words {
	if d.at != requestTab {
		return "3 shows the request, which has forms"
	}
	return ""
}
