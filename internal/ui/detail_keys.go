package ui

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
)

// screen is the tabs of a message, with the keys of the one that is shown.
func (d *detail) screen(r *root) keyScreen {
	inner := d.tabs[d.at]
	if inner == nil {
		return keyScreen{tables: []keyTable{d.table(r)}}
	}
	s := inner.screen(r)
	if s.typed == nil {
		s.tables = append([]keyTable{d.table(r)}, s.tables...)
	}
	return s
}

func (d *detail) table(r *root) keyTable {
	turn := func(n int) func() tea.Cmd {
		return func() tea.Cmd { return r.toTab(d, (d.at+n+numTabs)%numTabs) }
	}
	message := func(n int) func() tea.Cmd {
		return func() tea.Cmd { r.pop(); r.msgs.moveItem(n, r.msgs.rows); return r.openAgain(d) }
	}
	rows := []action{
		{keys: []string{"tab"}, hint: hint{"tab", "next side"}, help: "the next side of the message", run: turn(1)},
		{keys: []string{"shift+tab"}, help: "the side before", run: turn(-1)},
		{keys: []string{"J"}, hint: hint{"J K", "message"}, help: "the next message", run: message(1)},
		{keys: []string{"K"}, help: "the message before", run: message(-1)},
		{keys: []string{"f"}, help: "on the request: as the next provider takes it", disabled: d.noForm, run: func() tea.Cmd { r.pop(); return r.openDetail(d.at, (d.form+1)%len(d.src.forms)) }},
		{keys: []string{"R"}, help: "reveal secrets, or mask them again", run: func() tea.Cmd { r.pop(); r.toggleReveal(); return r.openDetail(d.at, d.form) }},
	}
	if rows[4].why() == "" {
		rows[4].hint = hint{"f", "next form"}
	}
	for i, name := range tabNames {
		rows = append(rows, action{keys: []string{strconv.Itoa(i + 1)}, help: "the side: " + name, run: func() tea.Cmd { return r.toTab(d, i) }})
	}
	if _, ok := d.tabs[d.at].(*treeView); !ok { // a tree copies the value under its cursor
		rows = append(rows, action{keys: []string{"y"}, hint: hint{"y", "copy"}, help: "copy the message, masked, to the clipboard of the terminal", run: r.yankMessage})
	}
	return keyTable{"on a message, enter", append(rows, action{keys: []string{"esc", "q"}, hint: hint{"esc", "close"}, help: "close", run: r.pop})}
}

func (d *detail) noForm() words {
	if d.at != requestTab {
		return "3 shows the request, which has forms"
	}
	return ""
}
