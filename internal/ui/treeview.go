package ui

import (
	"encoding/json"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
	"agentlens/internal/ui/jsontree"
	"agentlens/internal/ui/text"
)

// Bounds of a tree on the screen.
const (
	treeOpenRows  = 300       // a tree with more nodes begins folded
	treeText      = 256 << 10 // bytes of a string that is opened
	treeTextLines = 1000
)

// A treeRow is a line of a tree: a node, or a line of the text of an opened string.
type treeRow struct {
	node int32
	line int32 // 0 is the node itself
}

// A treeView shows a JSON document as a tree that folds.
type treeView struct {
	title  words
	name   export.Safe
	note   words // above the tree
	tree   *jsontree.Tree
	doc    export.Safe // the text of the tree
	safe   func(string) export.Safe
	again  func() tea.Cmd
	texts  map[int32][]line // opened strings, wrapped
	rows   []treeRow
	width  int
	high   int
	cursor int
	top    int
	typing *ask
	needle *needle
	hunt   hunter
	said   words
	past   []string // what was searched for
	nodes  []int32  // scratch
	path   export.Safe
	pathOf int // node of path, -1 for none
}

// newTreeView makes a tree of a document that came through the gate; nil when it is
// no JSON. safe is the way of a decoded string through the gate.
func newTreeView(title words, doc export.Safe, safe func(string) export.Safe) *treeView {
	tree, err := jsontree.Parse(doc.String())
	if err != nil {
		return nil
	}
	if len(tree.Nodes) > treeOpenRows {
		tree.FoldBelow(1)
	}
	v := &treeView{title: title, tree: tree, doc: doc, safe: safe, texts: map[int32][]line{}, high: 1, pathOf: -1}
	v.lay()
	return v
}

// lay lists the rows anew; the cursor stays on its node.
func (v *treeView) lay() {
	var on treeRow
	if v.cursor < len(v.rows) {
		on = v.rows[v.cursor]
	}
	v.nodes = v.tree.Rows(v.nodes[:0])
	v.rows = v.rows[:0]
	for _, n := range v.nodes {
		v.rows = append(v.rows, treeRow{n, 0})
		for i := range v.texts[n] {
			v.rows = append(v.rows, treeRow{n, int32(i) + 1})
		}
	}
	at := 0
	for i, row := range v.rows {
		if row.node <= on.node && (row.node < on.node || row.line <= on.line) {
			at = i
		}
	}
	v.cursor = at
	v.moveBy(0)
}

func (v *treeView) moveBy(n int) {
	v.cursor = min(max(v.cursor+n, 0), max(len(v.rows)-1, 0))
	v.top = min(max(v.top, v.cursor-v.high+1), v.cursor)
	v.top = max(min(v.top, len(v.rows)-v.high), 0)
}

func (v *treeView) node() int { return int(v.rows[v.cursor].node) }

// fold folds (-1), unfolds (1) or turns (0) what the cursor is on. A long string
// unfolds to its text. Folding what is folded goes to the node around.
func (v *treeView) fold(want int) {
	i := v.node()
	n := &v.tree.Nodes[i]
	_, opened := v.texts[int32(i)]
	shut := v.tree.Folds(i) && v.tree.Shut(i) || n.Kind == jsontree.String && !opened
	switch folds := v.tree.Folds(i) || n.Kind == jsontree.String; {
	case want < 0 && (shut || !folds):
		if p := v.tree.Parent(i); p >= 0 {
			v.goTo(p)
		}
		return
	case !folds || want > 0 && !shut:
		return
	}
	if n.Kind == jsontree.String {
		if opened {
			delete(v.texts, int32(i))
		} else {
			v.texts[int32(i)] = v.open(n)
		}
	} else {
		v.tree.SetShut(i, !shut)
	}
	if v.cursor -= int(v.rows[v.cursor].line); v.cursor < 0 {
		v.cursor = 0
	}
	v.lay()
}

// open decodes a string and wraps it.
func (v *treeView) open(n *jsontree.Node) []line {
	var s string
	if json.Unmarshal([]byte(v.doc.String()[n.Value.From:n.Value.To]), &s) != nil {
		return nil
	}
	if len(s) > treeText {
		s = head(s, treeText)
	}
	laid, _ := pretty(s)
	safe := v.safe(laid)
	indent := 2*int(n.Depth) + 4
	spans, rest := text.Wrap(nil, safe.String(), max(v.width-indent-2, 10), treeTextLines)
	lines := make([]line, 0, len(spans)+1)
	for _, sp := range spans {
		lines = append(lines, line{text: safe, from: sp.From, to: sp.To, indent: indent, style: codeString})
	}
	if rest < len(safe.String()) {
		lines = append(lines, line{own: "… there is more; y copies all of it", indent: indent, style: faint})
	}
	return lines
}

// goTo puts the cursor on a node.
func (v *treeView) goTo(node int) {
	v.tree.Reveal(node)
	v.lay()
	for i, row := range v.rows {
		if int(row.node) == node && row.line == 0 {
			v.cursor = i
			break
		}
	}
	v.moveBy(0)
}

func (v *treeView) foldAll(depth int) {
	i := v.node()
	clear(v.texts)
	v.tree.FoldBelow(depth)
	for v.tree.Parent(i) >= 0 && depth == 1 {
		i = v.tree.Parent(i)
	}
	v.goTo(i)
}

// find goes to the next node that holds the needle in its key or its own value,
// going around; here begins with the one it is on.
func (v *treeView) find(h host, d int, here bool) tea.Cmd {
	v.said = ""
	from := v.node()
	if here {
		from -= d
	}
	doc, nodes, needle := v.doc.String(), v.tree.Nodes, v.needle
	return v.hunt.begin(h, &hunt{
		count: len(nodes), at: from, step: d,
		size:  func(i int) int { return holdsSize(&nodes[i]) },
		holds: func(i int) bool { return nodeHolds(doc, &nodes[i], needle) },
	}, v.found)
}

// found goes to the node that was found.
func (v *treeView) found(node int) {
	if node < 0 {
		v.said = "not found"
		return
	}
	v.goTo(node)
}

// nodeHolds reports whether the needle is in the key of a node of a document, or in its
// own value.
func nodeHolds(doc string, n *jsontree.Node, needle *needle) bool {
	if at, _ := needle.Find(doc[n.Key.From:n.Key.To]); at >= 0 {
		return true
	}
	if n.Kind <= jsontree.Array {
		return false
	}
	at, _ := needle.Find(doc[n.Value.From:n.Value.To])
	return at >= 0
}

// holdsSize is the size of what nodeHolds looks at, in bytes.
func holdsSize(n *jsontree.Node) int {
	if n.Kind <= jsontree.Array {
		return n.Key.To - n.Key.From
	}
	return n.Key.To - n.Key.From + n.Value.To - n.Value.From
}

// yank copies the value under the cursor: a string as its text.
func (v *treeView) yank(h host) tea.Cmd {
	n := v.tree.Nodes[v.node()]
	raw, gate := v.doc.String()[n.Value.From:n.Value.To], h.gate()
	return h.ask(yankIntent{"the value", func() (export.Safe, error) {
		var s string
		if n.Kind == jsontree.String && json.Unmarshal([]byte(raw), &s) == nil {
			return gate.Text(s), nil
		}
		return gate.Text(raw), nil
	}})
}

func (v *treeView) click(_ host, at click) tea.Cmd {
	if i := v.top + at.y - v.headLines(); i >= v.top && i < len(v.rows) {
		again := v.cursor == i
		v.cursor = i
		if again || v.tree.Folds(v.node()) {
			v.fold(0)
		}
	}
	return nil
}

func (v *treeView) wheel(n int) { v.moveBy(n) }

func (v *treeView) resize(w, h int) {
	v.high = max(h-1-v.headLines(), 1)
	if v.width != w {
		v.width = w
		clear(v.texts)
		v.lay()
	}
	v.moveBy(0)
}

func (v *treeView) headLines() int {
	if v.note != "" {
		return 2
	}
	return 1
}

func (v *treeView) uncoloured(*colours) []colouring { return nil }
