package inspector

import (
	"slices"

	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/help"
	"agentlens/internal/ui/view"
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
	r.Push(help.New(append(list, help.Mouse(), signs(), badges(r.Gated))))
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

// signs explains the signs on the screen.
func signs() help.Group {
	return help.Group{Name: "signs", Rows: []help.Row{
		{Key: "│", Help: "sent as the history has it"},
		{Key: "┆", Help: "assumed to be sent: the record does not say"},
		{Key: "~", Help: "changed for this call; before a number: an estimate"},
		{Key: "−", Help: "dropped before this call"},
		{Key: "∅", Help: "not given at this call"},
		{Key: "+", Help: "added to the prompt"},
		{Key: "·", Help: "later than this call"},
		{Key: "?", Help: "not recorded whether it was sent"},
		{Key: "⚠", Help: "a later reply needed it; at a reply: it needed what was no longer sent"},
		{Key: "=", Help: "the same on both sides"},
		{Key: "→", Help: "a tool call"},
		{Key: "✗ ✓", Help: "failed; succeeded"},
		{Key: "▼ ▽", Help: "compaction; the prompt shrank and the record does not say why"},
		{Key: "!", Help: "the prompt cache broke"},
		{Key: "◆ ▲", Help: "the call that is shown"},
		{Key: "*", Help: "at the level of a step: the chain sets it"},
		{Key: "$ ≈$ ~$", Help: "recorded cost; recorded usage at list prices; estimated"},
	}}
}

// badges explains the badges of messages.
func badges(gated func(string) kit.Words) help.Group {
	g := help.Group{Name: "badges"}
	for _, b := range model.AllBadges() {
		g.Rows = append(g.Rows, help.Row{Key: view.BadgeTag(b).Text, Help: gated(b.Help())})
	}
	return g
}
