package inspector

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
)

// A keyRow is the keys of an action on the list of stages, and how they are shown.
type keyRow struct {
	keys []string
	hint kit.Hint // the first of a pair says it for both
	help kit.Words
}

// stageTable is the keys of the list of stages.
func (r *inspector) stageTable() kit.KeyTable {
	rows := []kit.Action{
		{Keys: []string{"enter", "q"}, Hint: kit.Hint{Key: "enter", Does: "keep"}, Help: "back to the panes, the chain stays", Run: func() tea.Cmd { return r.closeStages(true) }},
		{Keys: []string{"esc"}, Hint: kit.Hint{Key: "esc", Does: "drop"}, Help: "back to the panes and to the chain there was", Run: func() tea.Cmd { return r.closeStages(false) }},
	}
	for _, a := range stageActions() {
		rows = append(rows, kit.Action{Keys: a.keys, Hint: a.hint, Help: a.help, Run: func() tea.Cmd { return r.stageDo(a) }})
	}
	return kit.KeyTable{Name: "in the list of stages, S", Rows: append(rows,
		kit.Action{Keys: []string{"s"}, Hint: kit.Hint{Key: "s", Does: "type"}, Help: "type the chain", Run: r.typeStages},
		kit.Action{Keys: []string{":"}, Help: "keep the chain, and find any command by a few letters", Run: r.commandFromStages})}
}

// stageDo does an action on the list and forms the view of what it made.
func (r *inspector) stageDo(a stageAction) tea.Cmd {
	l := r.chain.list
	before := l.Text()
	if !a.do(r, l) {
		r.note = "that would be no chain, or changes nothing here"
	}
	r.arrange()
	if l.Text() != before {
		return r.Form()
	}
	return nil
}

// typeStages goes on with the chain as a line.
func (r *inspector) typeStages() tea.Cmd {
	cmd := r.closeStages(true)
	r.editChain()
	return cmd
}

// commandFromStages goes on with the palette.
func (r *inspector) commandFromStages() tea.Cmd {
	cmd := r.closeStages(true)
	r.openPalette()
	return cmd
}

// stagesReach are the actions on a run that stay in reach beside the list.
var stagesReach = []string{"prev-call", "next-call", "first-call", "last-call", "page-up", "page-down", "half-up", "half-down", "yank-chain", "keep-chain"}

// stageScreen is the list of stages, with the panes above it.
func (r *inspector) stageScreen() kit.KeyScreen {
	var above []kit.Action
	for _, a := range r.keys.table {
		if slices.Contains(stagesReach, a.ID) {
			a.Hint = kit.Hint{}
			above = append(above, a)
		}
	}
	return kit.KeyScreen{Tables: []kit.KeyTable{r.stageTable(), {Name: "the panes above it", Rows: above}}}
}
