package kit

import (
	"fmt"
	"strings"

	"agentlens/internal/safe"
)

// KeyBlocks returns the help of the key tables. Each table appears once. The help of the commands
// follows the keys that work on every screen.
func KeyBlocks(gate *safe.Gate, first, all []KeyTable, commands []Block) []Block {
	var blocks []Block
	listed := map[Words]bool{}
	for i, t := range append(first, all...) {
		if t.Name == "" && i > 0 && i < len(first) {
			continue // a run below this screen: all its keys are listed further down
		}
		for _, g := range ByGroup(t.Rows) {
			name := t.Name
			if name == "" {
				name = g.Name
			}
			if listed[name] {
				continue
			}
			listed[name] = true
			blocks = append(blocks, tableBlocks(gate, KeyTable{name, g.Rows})...)
			if name == "program" {
				blocks = append(blocks, commands...)
			}
		}
	}
	return blocks
}

// LabelCells is the width of the key column of the help, in cells.
const LabelCells = 18

func tableBlocks(gate *safe.Gate, t KeyTable) []Block {
	var b strings.Builder
	for i := range t.Rows {
		a := &t.Rows[i]
		fmt.Fprintf(&b, "%-*s %s\n", LabelCells, a.Label(), a.Help)
	}
	return Listed(gate, t.Name, b.String())
}

// Listed returns a heading followed by a list of facts.
func Listed(gate *safe.Gate, head Words, list string) []Block {
	return []Block{{Kind: HeadBlock, Note: head}, {Kind: FactsBlock, Text: gate.Text(list), keyCells: LabelCells + 1}}
}

// MouseRows describe the mouse actions.
var MouseRows = [...][2]Words{
	{"click", "select; fold at an arrow, open a tab or a choice, go to a call of the tree or the timeline"},
	{"double click", "open a message; to where a call was sent; to a change of a diff; a run of the list"},
	{"at the bottom", "a click on a hint does what it says: of two keys, the one under the mouse"},
	{"on a border", "a click gives the pane the focus, a double click shows it alone"},
	{"in the header", "◀ and ▶ go to the call before and the next; names of columns sort the list of runs"},
	{"drag", "along the timeline, from call to call"},
	{"wheel", "scroll; on the timeline: from call to call; on the stages: from stage to stage"},
}

// MouseBlocks returns the help of the mouse.
func MouseBlocks(gate *safe.Gate) []Block {
	var b strings.Builder
	for _, m := range MouseRows {
		fmt.Fprintf(&b, "%-*s %s\n", LabelCells, m[0], m[1])
	}
	return Listed(gate, "the mouse", b.String())
}
