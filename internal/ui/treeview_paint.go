package ui

import (
	"strconv"

	"agentlens/internal/ui/jsontree"
	"agentlens/internal/ui/text"
)

func (v *treeView) render(th *theme, _ *colours, w, h int) []string {
	v.resize(w, h)
	var l liner
	out := make([]string, 0, h)
	l.reset(th, w, weakShade)
	where := words(strconv.Itoa(v.cursor+1)) + " of " + plural(len(v.rows), "row")
	l.within(l.left-text.Width(string(where))-2, func() {
		l.own(" "+v.title, strong)
		l.safe(v.name, strong)
	})
	l.blank(1)
	l.own(where, dim)
	l.to(0)
	out = append(out, l.String())
	if v.note != "" {
		l.reset(th, w, noShade)
		l.own(" "+v.note, changed)
		out = append(out, l.String())
	}
	for y := range v.high {
		l.reset(th, w, noShade)
		if i := v.top + y; i < len(v.rows) {
			v.row(&l, i)
		}
		out = append(out, l.String())
	}
	return out[:min(len(out), h)]
}

// foot paints the last line: a search being typed, what it found, else where the
// cursor is and hints.
func (v *treeView) foot(l *liner, s keyScreen) {
	switch {
	case v.typing != nil:
		v.typing.paint(l, s)
	case v.hunt.now != nil:
		l.own(" "+searching, dim)
	case v.said != "":
		l.own(" "+v.said, failure)
	default:
		l.own(" ", plain)
		if n := v.node(); n != v.pathOf {
			v.path, v.pathOf = v.safe(v.tree.Path(n)), n
		}
		l.within(min(text.Width(v.path.String()), l.left*2/5), func() { l.safe(v.path, accent) })
		l.blank(1)
		hints(l, s.hints())
	}
}

var nodeStyles = [...]style{jsontree.Object: dim, jsontree.Array: dim, jsontree.String: codeString, jsontree.Number: codeConstant, jsontree.Literal: codeKeyword}

var brackets = [...][2]words{jsontree.Object: {"{", "}"}, jsontree.Array: {"[", "]"}}

// row paints row i of the tree.
func (v *treeView) row(l *liner, i int) {
	row := v.rows[i]
	here := i == v.cursor
	if here {
		l.on(cursorShade, plain)
		l.own("▎", accent)
	} else {
		l.blank(1)
	}
	if row.line > 0 {
		b := &v.texts[row.node][row.line-1]
		paintLine(l, b, b.style, nil, v.needle, here, 0)
		l.to(0)
		return
	}
	n := &v.tree.Nodes[row.node]
	l.blank(2 * int(min(n.Depth, 40)))
	_, opened := v.texts[row.node]
	switch {
	case v.tree.Folds(int(row.node)):
		l.own(arrow(!v.tree.Shut(int(row.node)))+" ", dim)
	case opened:
		l.own("▾ ", dim)
	default:
		l.blank(2)
	}
	doc := v.doc.String()
	if n.Key.To > n.Key.From+2 {
		l.found(doc[n.Key.From+1:n.Key.To-1], codeKey, v.needle, here)
		l.own(": ", dim)
	} else if n.Depth > 0 {
		l.number(int(n.Place), faint)
		l.own(": ", dim)
	}
	if n.Kind <= jsontree.Array {
		l.own(brackets[n.Kind][0], dim)
		l.number(int(n.Children), dim)
		l.own(brackets[n.Kind][1], dim)
		if v.tree.Shut(int(row.node)) {
			l.blank(1)
			l.found(head(doc[n.Value.From:n.Value.To], 600), faint, nil, false)
		}
	} else {
		l.found(head(doc[n.Value.From:n.Value.To], 4000), nodeStyles[n.Kind], v.needle, here)
	}
	l.to(0)
}
