package panes

import (
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// nodeKind is the kind of a row of the threads pane.
type nodeKind uint8

// Kinds of nodes.
const (
	ThreadNode nodeKind = iota
	BadgeNode           // a badge of the thread above
	CallNode
	NextNode   // the call after the record
	ResumeNode // how the thread would continue, below the call after the record
	MarkerNode
	DocumentsNode
	DocumentNode
)

// A node is a row of the threads pane.
type node struct {
	Kind   nodeKind
	depth  int
	Thread int // index in the run, -1 for documents
	N      int // number of the call, index of the marker or document, or badge
}

// Tree is the threads pane: all threads, the calls and markers of the selected thread, and
// the documents.
type Tree struct {
	labels  *view.Labels
	Nodes   []node
	Cursor  int
	Top     int
	Rows    int
	thread  int // the shown thread
	call    int // the shown call
	folded  map[int]bool
	showDoc bool
}

// NewTree returns an empty pane.
func NewTree() *Tree { return &Tree{folded: map[int]bool{}} }

// Show switches to a run, a thread and a call. The cursor stays on its row.
func (t *Tree) Show(sc *view.Labels, thread, call int) {
	var was node
	if t.Cursor < len(t.Nodes) {
		was = t.Nodes[t.Cursor]
	}
	moved := t.thread != thread || t.call != call || t.labels == nil
	t.labels, t.thread, t.call = sc, thread, call
	t.build()
	t.Cursor = min(t.Cursor, max(len(t.Nodes)-1, 0))
	for i, n := range t.Nodes {
		if n == was && !moved || moved && n.Thread == thread && (n.Kind == CallNode || n.Kind == NextNode) && n.N == call {
			t.Cursor = i
			break
		}
	}
	t.Reveal()
}

func (t *Tree) build() {
	t.Nodes = t.Nodes[:0]
	for _, o := range t.labels.Order {
		t.Nodes = append(t.Nodes, node{Kind: ThreadNode, depth: o.Depth, Thread: o.Thread})
		th := t.labels.Run.Threads[o.Thread]
		for _, b := range th.Badges.List() {
			t.Nodes = append(t.Nodes, node{Kind: BadgeNode, depth: o.Depth + 1, Thread: o.Thread, N: int(b)})
		}
		if o.Thread == t.thread && !t.folded[o.Thread] {
			t.calls(th, o)
		}
	}
	if len(t.labels.Docs) == 0 {
		return
	}
	t.Nodes = append(t.Nodes, node{Kind: DocumentsNode, Thread: -1})
	if t.showDoc {
		for i := range t.labels.Docs {
			t.Nodes = append(t.Nodes, node{Kind: DocumentNode, depth: 1, Thread: -1, N: i})
		}
	}
}

// calls lists the calls of a thread, with markers between them.
func (t *Tree) calls(th *model.Thread, o view.Ordered) {
	mark := 0
	for i := range th.Calls {
		for ; mark < len(th.Markers) && th.Markers[mark].After < th.Calls[i].Given; mark++ {
			t.Nodes = append(t.Nodes, node{Kind: MarkerNode, depth: o.Depth + 1, Thread: o.Thread, N: mark})
		}
		t.Nodes = append(t.Nodes, node{Kind: CallNode, depth: o.Depth + 1, Thread: o.Thread, N: i + 1})
	}
	for ; mark < len(th.Markers); mark++ {
		t.Nodes = append(t.Nodes, node{Kind: MarkerNode, depth: o.Depth + 1, Thread: o.Thread, N: mark})
	}
	t.Nodes = append(t.Nodes, node{Kind: NextNode, depth: o.Depth + 1, Thread: o.Thread, N: len(th.Calls) + 1})
	t.Nodes = append(t.Nodes, node{Kind: ResumeNode, depth: o.Depth + 2, Thread: o.Thread})
}

// MoveBy moves the cursor by n rows.
func (t *Tree) MoveBy(n int) {
	t.Cursor = min(max(t.Cursor+n, 0), max(len(t.Nodes)-1, 0))
	t.Reveal()
}

// ScrollBy scrolls by n rows. The cursor stays on the screen.
func (t *Tree) ScrollBy(n int) {
	t.Top = min(max(t.Top+n, 0), max(len(t.Nodes)-t.Rows, 0))
	t.Cursor = min(max(t.Cursor, t.Top), max(t.Top+t.Rows-1, 0))
}

// Reveal scrolls to the cursor. It centres the cursor after a jump.
func (t *Tree) Reveal() {
	switch away := t.Cursor - t.Top; {
	case away < -1 || away > t.Rows:
		t.Top = t.Cursor - t.Rows/2
	case away < 0:
		t.Top = t.Cursor
	case away >= t.Rows:
		t.Top = t.Cursor - t.Rows + 1
	}
	t.Top = min(max(t.Top, 0), max(len(t.Nodes)-t.Rows, 0))
}

// Fold folds or unfolds the thread or the documents under the cursor.
func (t *Tree) Fold() {
	if t.Cursor >= len(t.Nodes) {
		return
	}
	switch n := t.Nodes[t.Cursor]; {
	case n.Kind == DocumentsNode:
		t.showDoc = !t.showDoc
	case n.Thread >= 0:
		t.folded[n.Thread] = !t.folded[n.Thread]
	}
	t.build()
	t.MoveBy(0)
}

// Row paints row i of the pane.
func (t *Tree) Row(l *kit.LineWriter, i int, focused bool) {
	n := t.Nodes[i]
	if i == t.Cursor && focused {
		l.Words("▎", kit.Accent)
	} else {
		l.Blank(1)
	}
	l.Blank(2 * n.depth)
	switch n.Kind {
	case ThreadNode:
		t.threadRow(l, n)
	case BadgeNode:
		tg := view.BadgeTag(model.Badge(n.N))
		l.Words(tg.Text, tg.St)
	case CallNode, NextNode:
		t.callRow(l, n)
	case ResumeNode:
		l.Words("resume", kit.Dim)
	case MarkerNode:
		l.Words("─ ", kit.Marker)
		l.Safe(t.labels.Markers[n.Thread][n.N], kit.Marker)
	case DocumentsNode:
		l.Words(kit.Arrow(t.showDoc), kit.Faint)
		l.Words(" documents ", kit.Title)
		l.Number(len(t.labels.Docs), kit.Faint)
	case DocumentNode:
		l.Safe(t.labels.Docs[n.N], kit.Dim)
	}
}

func (t *Tree) threadRow(l *kit.LineWriter, n node) {
	label := t.labels.Threads[n.Thread]
	st := kit.Title
	if n.Thread == t.thread {
		st = kit.Accent
	}
	l.Words(kit.Arrow(n.Thread == t.thread && !t.folded[n.Thread]), kit.Faint)
	l.Blank(1)
	l.Safe(label.Kind, kit.Dim)
	l.Blank(1)
	l.Safe(label.Name, st)
}

func (t *Tree) callRow(l *kit.LineWriter, n node) {
	here := n.Thread == t.thread && n.N == t.call
	st, mark := kit.Dim, kit.Words("  ")
	if here {
		st, mark = kit.Accent, "◆ "
	}
	l.Words(mark, kit.Accent)
	if n.Kind == NextNode {
		l.Words("next", st)
		return
	}
	c := &t.labels.Run.Threads[n.Thread].Calls[n.N-1]
	l.Words("call "+kit.Int(n.N), st)
	given := c.Given
	if c.GivenList != nil {
		given = len(c.GivenList)
	}
	if count := kit.Plural(given, "msg"); text.Width(string(count))+3 <= l.Left {
		l.Words(" · ", kit.Faint)
		l.Words(count, st)
	}
	for _, b := range c.Badges.List() {
		l.Blank(1)
		tg := view.BadgeTag(b)
		l.Words(tg.Text, tg.St)
	}
	if c.Badges == 0 && c.Model != "" && (n.N == 1 || t.labels.Run.Threads[n.Thread].Calls[n.N-2].Model != c.Model) {
		l.Words(" · ", kit.Faint)
		l.Safe(t.labels.Models[c.Model], kit.Faint)
	}
}
