package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// screen is a tree that folds.
func (v *treeView) keyTables(h host) keyScreen {
	if v.typing != nil {
		return v.typing.screen(v.searchTyped(h))
	}
	t := v.table(h)
	t.rows = append(t.rows, revealRow(h, v.again))
	return keyScreen{tables: []keyTable{t}}
}

func (v *treeView) table(h host) keyTable {
	move := func(n int) func() tea.Cmd { return do(func() { v.said = ""; v.moveBy(n) }) }
	fold := func(want int) func() tea.Cmd { return do(func() { v.said = ""; v.fold(want) }) }
	find := func(d int) func() tea.Cmd { return func() tea.Cmd { return v.find(h, d, false) } }
	return keyTable{"in a tree: a record, a request, a document", []action{
		{keys: []string{"j", "down"}, help: "a row down", run: move(1)},
		{keys: []string{"k", "up"}, help: "a row up", run: move(-1)},
		{keys: []string{"pgdown", "ctrl+f"}, help: "a page down", run: move(v.high)},
		{keys: []string{"pgup", "ctrl+b"}, help: "a page up", run: move(-v.high)},
		{keys: []string{"ctrl+d"}, help: "half a page down", run: move(v.high / 2)},
		{keys: []string{"ctrl+u"}, help: "half a page up", run: move(-v.high / 2)},
		{keys: []string{"g", "home"}, help: "to the top", run: move(-len(v.rows))},
		{keys: []string{"G", "end"}, help: "to the end", run: move(len(v.rows))},
		{keys: []string{" ", "enter"}, hint: hint{"space", "fold"}, help: "fold or unfold; a long text unfolds too", run: fold(0)},
		{keys: []string{"l", "right"}, help: "unfold", run: fold(1)},
		{keys: []string{"h", "left"}, help: "fold; what is folded: to what it is in", run: fold(-1)},
		{keys: []string{"+", "="}, hint: hint{"+ -", "all"}, help: "unfold all", run: do(func() { v.foldAll(1 << 30) })},
		{keys: []string{"-"}, help: "fold all", run: do(func() { v.foldAll(1) })},
		{keys: []string{"/"}, hint: hint{"/ n N", "search"}, help: "search keys and values", run: do(func() { v.typing = &ask{line: newInput(""), past: &v.past} })},
		{keys: []string{"n"}, help: "next place found", disabled: v.noNeedle, run: find(1)},
		{keys: []string{"N"}, help: "place found before", disabled: v.noNeedle, run: find(-1)},
		{keys: []string{"y"}, hint: hint{"y", "copy"}, help: "copy the value, masked, to the clipboard of the terminal", run: func() tea.Cmd { return v.yank(h) }},
		{keys: []string{"esc", "q"}, hint: hint{"esc", "close"}, help: "close", run: h.pop},
	}}
}

func (v *treeView) noNeedle() words {
	if v.needle == nil {
		return nothingSought
	}
	return ""
}

// searchTyped ends the search line and goes to the first place found.
func (v *treeView) searchTyped(h host) func(*needle) tea.Cmd {
	return func(n *needle) tea.Cmd {
		v.typing = nil
		if n == nil {
			return nil
		}
		v.needle = n
		return v.find(h, 1, true)
	}
}
