package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// A keyRow is the keys of an action on the list of stages, and how they are shown.
type keyRow struct {
	keys []string
	hint hint // the first of a pair says it for both
	help words
}

// stageTable is the keys of the list of stages.
func (r *root) stageTable() keyTable {
	rows := []action{
		{keys: []string{"enter", "q"}, hint: hint{"enter", "keep"}, help: "back to the panes, the chain stays", run: func() tea.Cmd { return r.closeStages(true) }},
		{keys: []string{"esc"}, hint: hint{"esc", "drop"}, help: "back to the panes and to the chain there was", run: func() tea.Cmd { return r.closeStages(false) }},
	}
	for _, a := range stageActions() {
		rows = append(rows, action{keys: a.keys, hint: a.hint, help: a.help, run: func() tea.Cmd { return r.stageDo(a) }})
	}
	return keyTable{"in the list of stages, S", append(rows,
		action{keys: []string{"s"}, hint: hint{"s", "type"}, help: "type the chain", run: r.typeStages},
		action{keys: []string{":"}, help: "keep the chain, and find any command by a few letters", run: r.commandFromStages})}
}

// stageDo does an action on the list and forms the view of what it made.
func (r *root) stageDo(a stageAction) tea.Cmd {
	l := r.chain.list
	before := l.Text()
	if !a.do(r, l) {
		r.note = "that would be no chain, or changes nothing here"
	}
	r.arrange()
	if l.Text() != before {
		return r.form()
	}
	return nil
}

// typeStages goes on with the chain as a line.
func (r *root) typeStages() tea.Cmd {
	cmd := r.closeStages(true)
	r.editChain()
	return cmd
}

// commandFromStages goes on with the palette.
func (r *root) commandFromStages() tea.Cmd {
	cmd := r.closeStages(true)
	r.openPalette()
	return cmd
}

// stagesReach are the actions on a run that stay in reach beside the list.
var stagesReach = []string{"prev-call", "next-call", "first-call", "last-call", "page-up", "page-down", "half-up", "half-down", "yank-chain", "keep-chain"}

// stageScreen is the list of stages, with the panes above it.
func (r *root) stageScreen() keyScreen {
	var above []action
	for _, a := range r.keys.table {
		if slices.Contains(stagesReach, a.id) {
			a.hint = hint{}
			above = append(above, a)
		}
	}
	return keyScreen{tables: []keyTable{r.stageTable(), {"the panes above it", above}}}
}
