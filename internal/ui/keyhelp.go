package ui

import (
	"fmt"
	"strings"

	"agentlens/internal/export"
)

// keyBlocks lists the keys of tables, each table once. The commands come after those of the
// program.
func keyBlocks(gate *export.Gate, first, all []keyTable, commands []block) []block {
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
				blocks = append(blocks, commands...)
			}
		}
	}
	return blocks
}

// labelCells is the width of the column of keys in the help, in cells.
const labelCells = 18

func tableBlocks(gate *export.Gate, t keyTable) []block {
	var b strings.Builder
	for i := range t.rows {
		a := &t.rows[i]
		fmt.Fprintf(&b, "%-*s %s\n", labelCells, a.label(), a.help)
	}
	return listed(gate, t.name, b.String())
}

func listed(gate *export.Gate, head words, list string) []block {
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

func mouseBlocks(gate *export.Gate) []block {
	var b strings.Builder
	for _, m := range mouseRows {
		fmt.Fprintf(&b, "%-*s %s\n", labelCells, m[0], m[1])
	}
	return listed(gate, "the mouse", b.String())
}
