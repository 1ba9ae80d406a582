package ui

import (
	"strconv"

	"agentlens/internal/model"
	"agentlens/internal/ui/text"
)

// nodeKind is what a row of the threads pane stands for.
type nodeKind uint8

const (
	threadNode nodeKind = iota
	badgeNode           // a badge of the thread above
	callNode
	nextNode // the call after the record
	markerNode
	documentsNode
	documentNode
)

// A node is a row of the threads pane.
type node struct {
	kind   nodeKind
	depth  int
	thread int // index in the run, for what belongs to a thread
	n      int // call number, marker or document index, badge
}

// tree is the threads pane: the threads of the run, under the selected one its
// calls and markers, and the documents.
type tree struct {
	scene   *scene
	nodes   []node
	cursor  int
	top     int
	rows    int
	thread  int // the thread that is shown
	call    int // the call that is shown
	folded  map[int]bool
	showDoc bool
}

func newTree() *tree { return &tree{folded: map[int]bool{}} }

// show takes over a run, a thread and a call; the cursor stays on what it was on.
func (t *tree) show(sc *scene, thread, call int) {
	var was node
	if t.cursor < len(t.nodes) {
		was = t.nodes[t.cursor]
	}
	moved := t.thread != thread || t.call != call || t.scene == nil
	t.scene, t.thread, t.call = sc, thread, call
	t.build()
	t.cursor = min(t.cursor, max(len(t.nodes)-1, 0))
	for i, n := range t.nodes {
		if n == was && !moved || moved && n.thread == thread && (n.kind == callNode || n.kind == nextNode) && n.n == call {
			t.cursor = i
			break
		}
	}
	t.reveal()
}

func (t *tree) build() {
	t.nodes = t.nodes[:0]
	for _, o := range t.scene.order {
		t.nodes = append(t.nodes, node{kind: threadNode, depth: o.depth, thread: o.thread})
		th := t.scene.run.Threads[o.thread]
		for _, b := range th.Badges.List() {
			t.nodes = append(t.nodes, node{kind: badgeNode, depth: o.depth + 1, thread: o.thread, n: int(b)})
		}
		if o.thread == t.thread && !t.folded[o.thread] {
			t.calls(th, o)
		}
	}
	if len(t.scene.docs) == 0 {
		return
	}
	t.nodes = append(t.nodes, node{kind: documentsNode, thread: -1})
	if t.showDoc {
		for i := range t.scene.docs {
			t.nodes = append(t.nodes, node{kind: documentNode, depth: 1, thread: -1, n: i})
		}
	}
}

// calls lists the calls of a thread with its markers between them.
func (t *tree) calls(th *model.Thread, o ordered) {
	mark := 0
	for i := range th.Calls {
		for ; mark < len(th.Markers) && th.Markers[mark].After < th.Calls[i].Given; mark++ {
			t.nodes = append(t.nodes, node{kind: markerNode, depth: o.depth + 1, thread: o.thread, n: mark})
		}
		t.nodes = append(t.nodes, node{kind: callNode, depth: o.depth + 1, thread: o.thread, n: i + 1})
	}
	for ; mark < len(th.Markers); mark++ {
		t.nodes = append(t.nodes, node{kind: markerNode, depth: o.depth + 1, thread: o.thread, n: mark})
	}
	t.nodes = append(t.nodes, node{kind: nextNode, depth: o.depth + 1, thread: o.thread, n: len(th.Calls) + 1})
}

func (t *tree) moveBy(n int) {
	t.cursor = min(max(t.cursor+n, 0), max(len(t.nodes)-1, 0))
	t.reveal()
}

func (t *tree) scrollBy(n int) {
	t.top = min(max(t.top+n, 0), max(len(t.nodes)-t.rows, 0))
	t.cursor = min(max(t.cursor, t.top), max(t.top+t.rows-1, 0))
}

// reveal scrolls to the cursor: by as little as a step needs, to the middle
// after a jump.
func (t *tree) reveal() {
	switch away := t.cursor - t.top; {
	case away < -1 || away > t.rows:
		t.top = t.cursor - t.rows/2
	case away < 0:
		t.top = t.cursor
	case away >= t.rows:
		t.top = t.cursor - t.rows + 1
	}
	t.top = min(max(t.top, 0), max(len(t.nodes)-t.rows, 0))
}

// fold folds or unfolds the thread or the documents under the cursor.
func (t *tree) fold() {
	if t.cursor >= len(t.nodes) {
		return
	}
	switch n := t.nodes[t.cursor]; {
	case n.kind == documentsNode:
		t.showDoc = !t.showDoc
	case n.thread >= 0:
		t.folded[n.thread] = !t.folded[n.thread]
	}
	t.build()
	t.moveBy(0)
}

// row paints row i of the pane.
func (t *tree) row(l *liner, i int, focused bool) {
	n := t.nodes[i]
	if i == t.cursor && focused {
		l.own("▎", accent)
	} else {
		l.blank(1)
	}
	l.blank(2 * n.depth)
	switch n.kind {
	case threadNode:
		t.threadRow(l, n)
	case badgeNode:
		tg := badgeTag(model.Badge(n.n))
		l.own(tg.text, tg.st)
	case callNode, nextNode:
		t.callRow(l, n)
	case markerNode:
		l.own("─ ", marker)
		l.safe(t.scene.markers[n.thread][n.n], marker)
	case documentsNode:
		l.own(arrow(t.showDoc), faint)
		l.own(" documents ", title)
		l.number(len(t.scene.docs), faint)
	case documentNode:
		l.safe(t.scene.docs[n.n], dim)
	}
}

func (t *tree) threadRow(l *liner, n node) {
	label := t.scene.threads[n.thread]
	st := title
	if n.thread == t.thread {
		st = accent
	}
	l.own(arrow(n.thread == t.thread && !t.folded[n.thread]), faint)
	l.blank(1)
	l.safe(label.kind, dim)
	l.blank(1)
	l.safe(label.name, st)
}

func (t *tree) callRow(l *liner, n node) {
	here := n.thread == t.thread && n.n == t.call
	st, mark := dim, words("  ")
	if here {
		st, mark = accent, "◆ "
	}
	l.own(mark, accent)
	if n.kind == nextNode {
		l.own("next", st)
		return
	}
	c := &t.scene.run.Threads[n.thread].Calls[n.n-1]
	l.own("call "+words(strconv.Itoa(n.n)), st)
	given := c.Given
	if c.GivenList != nil {
		given = len(c.GivenList)
	}
	if count := plural(given, "msg"); text.Width(string(count))+3 <= l.left {
		l.own(" · ", faint)
		l.own(count, st)
	}
	for _, b := range c.Badges.List() {
		l.blank(1)
		tg := badgeTag(b)
		l.own(tg.text, tg.st)
	}
	if c.Badges == 0 && c.Model != "" && (n.n == 1 || t.scene.run.Threads[n.thread].Calls[n.n-2].Model != c.Model) {
		l.own(" · ", faint)
		l.safe(t.scene.models[c.Model], faint)
	}
}
