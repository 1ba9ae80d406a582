package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// This file says which screen keys go to, and lists the tables of all screens.

// keymap is the table of a run, made once.
type keymap struct {
	table []action
	foot  []hint // most wanted first
	// narrowFoot are the same where one pane is shown at a time.
	narrowFoot []hint
}

func (r *root) newKeymap() *keymap {
	table := r.actionTable()
	narrow := slices.Insert(slices.DeleteFunc(slices.Clone(runFoot), func(id string) bool { return id == "next-pane" }), 1, "next-pane")
	return &keymap{table: table, foot: footHints(table, runFoot), narrowFoot: footHints(table, narrow)}
}

// screen is what keys go to now.
func (r *root) screen() keyScreen {
	switch {
	case len(r.overlays) > 0:
		return r.overlayScreen()
	case r.chain.edit != nil:
		return r.chainScreen().and(r.everywhere())
	case r.chain.list != nil:
		return r.stageScreen().and(r.everywhere())
	case r.typing != nil:
		return r.typing.screen(r.findTyped).and(r.everywhere())
	case r.await != nil:
		return r.await.screen(r).and(r.everywhere())
	case r.strip.scrub:
		return r.stripScreen()
	}
	return keyScreen{tables: []keyTable{{rows: r.keys.table}}}
}

// overlayScreen is what covers the panes, with the palette over it where nothing is typed.
func (r *root) overlayScreen() keyScreen {
	s := r.top().keyTables(r)
	rows := r.everywhere()
	if s.typed == nil {
		rows = append(rows, action{id: "palette", keys: []string{":"}, hint: hint{":", "command"}, help: "find any command by a few letters; one for the panes closes what covers them", group: "program", run: do(r.openPalette)})
	}
	return s.and(rows)
}

// everywhere are the keys of every screen.
func (r *root) everywhere() []action { return anywhere(r.openHelp) }

// allTables lists the keys of every screen, for the help and for README.
func (r *root) allTables() []keyTable {
	again := func() tea.Cmd { return nil }
	tree := &treeView{}
	p := newPager("", nil)
	p.cut = again
	search := &ask{line: newInput(""), scoped: true}
	var list []keyTable
	for _, s := range []keyScreen{
		{tables: []keyTable{{rows: r.keys.table}}},
		{tables: []keyTable{r.stageTable()}},
		{tables: []keyTable{r.stripTable()}},
		(&detail{}).keyTables(r),
		p.keyTables(r), tree.keyTables(r),
		{tables: []keyTable{(&diffView{pager: p}).table(r)}},
		(&compareView{rows: []contender{{}}}).keyTables(r),
		newChooser("", "", nil).keyTables(r),
		search.screen(nil), r.chainScreen(),
		(&await{number: true}).screen(r),
		NewPicker(PickConfig{}).listScreen(),
	} {
		list = append(list, s.tables...)
	}
	return list
}
