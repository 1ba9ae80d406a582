package ui

import (
	"fmt"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// openHelp shows the keys of this screen first, then those of all others, and what the
// marks and badges mean.
func (r *root) openHelp() {
	s := r.screen()
	blocks := append(keyBlocks(r.cfg.Gate, s.own(), r.allTables()), mouseBlocks(r.cfg.Gate)...)
	p := newPager("help", append(blocks, signBlocks(r.cfg.Gate)...))
	p.toggle = []string{"?", "f1"}
	r.push(p)
}

// keyBlocks list the keys of tables, each table once.
func keyBlocks(gate *safe.Gate, first, all []keyTable) []block {
	var blocks []block
	told := map[words]bool{}
	for i, t := range append(first, all...) {
		if t.name == "" && i > 0 && i < len(first) {
			continue // a run below this screen: its keys are told whole further down
		}
		for _, g := range byGroup(t.rows) {
			name := t.name
			if name == "" {
				name = g.name
			}
			if told[name] {
				continue
			}
			told[name] = true
			blocks = append(blocks, tableBlocks(gate, keyTable{name, g.rows})...)
			if name == "program" {
				blocks = append(blocks, commandBlocks(gate)...)
			}
		}
	}
	return blocks
}

// labelCells is the width of the column of keys in the help, in cells.
const labelCells = 18

func tableBlocks(gate *safe.Gate, t keyTable) []block {
	var b strings.Builder
	for i := range t.rows {
		a := &t.rows[i]
		fmt.Fprintf(&b, "%-*s %s\n", labelCells, a.label(), a.help)
	}
	return listed(gate, t.name, b.String())
}

func commandBlocks(gate *safe.Gate) []block {
	var b strings.Builder
	for _, c := range commandTable() {
		fmt.Fprintf(&b, "%-*s %s\n", labelCells, c.name+" "+c.takes, c.help)
	}
	return listed(gate, "commands, typed after :", b.String())
}

func listed(gate *safe.Gate, head words, list string) []block {
	return []block{{kind: headBlock, note: head}, {kind: factsBlock, text: gate.Text(list), keyCells: labelCells + 1}}
}

// mouseRows say what the mouse does.
var mouseRows = [...][2]words{
	{"click", "select; fold at an arrow, open a tab or a choice, go to a call of the tree or the timeline"},
	{"double click", "open a message; to where a call was sent; to a change of a diff; a run of the list"},
	{"at the bottom", "a click on a hint does what it says: of two keys, the one under the mouse"},
	{"on a border", "a click gives the pane the focus, a double click shows it alone"},
	{"in the header", "◀ and ▶ go to the call before and the next; names of columns sort the list of runs"},
	{"drag", "along the timeline, from call to call"},
	{"wheel", "scroll; on the timeline: from call to call; on the stages: from stage to stage"},
}

func mouseBlocks(gate *safe.Gate) []block {
	var b strings.Builder
	for _, m := range mouseRows {
		fmt.Fprintf(&b, "%-*s %s\n", labelCells, m[0], m[1])
	}
	return listed(gate, "the mouse", b.String())
}

// signBlocks say what the marks and badges on the screen mean.
func signBlocks(gate *safe.Gate) []block {
	var marks, badges strings.Builder
	for _, m := range [...][2]string{
		{"c┊", "changed: the provider got another text"},
		{"d┊", "dropped: the provider did not get it"},
		{"┊", "at the right: a gap; at the left: not given at this call"},
		{"→", "a tool call; ✗ failed"},
		{"∴", "thinking"},
		{"~", "an estimate"},
		{"◆", "the call that is shown"},
	} {
		fmt.Fprintf(&marks, "%-*s %s\n", labelCells, m[0], m[1])
	}
	for _, bd := range model.AllBadges() {
		fmt.Fprintf(&badges, "‹%s›\n    %s\n", bd, bd.Help())
	}
	return append(listed(gate, "marks", marks.String()), listed(gate, "badges", badges.String())...)
}
