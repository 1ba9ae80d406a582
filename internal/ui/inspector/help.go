package inspector

import (
	"slices"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/help"
)

// openHelp shows the keys of this screen, of the panes, of every screen and of the other screens, the
// commands, the marks and the badges.
func (r *inspector) openHelp() {
	s := r.screen()
	all := r.allTables()
	panes := slices.Insert(slices.Clone(all[:1]), 1, kit.KeyTable{Name: everywhereTable, Rows: r.everywhere()})
	list := help.Groups(s.Words(), panes)
	list = append(list, help.Group{Name: "commands, typed after :", Rows: commandRows()})
	for _, g := range help.Groups(nil, all[1:]) {
		if !slices.ContainsFunc(list, func(o help.Group) bool { return o.Name == g.Name }) {
			list = append(list, g)
		}
	}
	r.Push(help.New(append(list, help.Mouse(), help.Signs(), help.Badges(r.Gated))))
}

// everywhereTable is the name of the table of the keys that work on every screen.
const everywhereTable kit.Words = "anywhere"

func commandRows() []help.Row {
	var rows []help.Row
	for _, c := range commandTable() {
		rows = append(rows, help.Row{Key: c.name + " " + c.takes, Help: c.help})
	}
	return rows
}
