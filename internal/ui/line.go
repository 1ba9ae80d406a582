package ui

import (
	"strings"

	"agentlens/internal/export"
	"agentlens/internal/ui/highlight"
	"agentlens/internal/ui/worddiff"
)

// A line is one line of a body, a span of a text that came through the gate.
type line struct {
	text     export.Safe
	doc      *highlight.Document // of text, or nil
	from, to int
	own      words // painted before the span
	indent   int
	style    style
	section  int    // 1-based number of the section this line heads, or 0
	more     int    // lines cut off here
	parts    []part // in place of the span: of a diff
	marks    bool   // brackets stand for the colours of the parts
	right    *line  // in the second of two columns
}

// words is what a line says of a record.
func (l *line) words() string {
	if l.parts == nil && l.right == nil {
		return l.text.String()[l.from:l.to]
	}
	var b strings.Builder
	for _, p := range l.parts {
		b.WriteString(p.text.String()[p.from:p.to])
	}
	if l.right != nil {
		b.WriteString("\n" + l.right.words())
	}
	return b.String()
}

// size is how long the words of a line are, in bytes.
func (l *line) size() int {
	n := l.to - l.from
	for i := range l.parts {
		n += l.parts[i].to - l.parts[i].from
	}
	if l.right != nil {
		n += l.right.size()
	}
	return n
}

// A part is a piece of a line of a diff: bytes of a text that came through the gate.
type part struct {
	text     export.Safe
	from, to int
	kind     worddiff.Kind
	own      words // in place of the text
}

// Brackets of changed words on a screen without colours, as git has them.
var partMarks = [...][2]words{worddiff.Same: {"", ""}, worddiff.Deleted: {"[-", "-]"}, worddiff.Inserted: {"{+", "+}"}}

var partStyles = [...]style{worddiff.Same: plain, worddiff.Deleted: deleted, worddiff.Inserted: inserted}

// paintLine paints a line of a body, shift cells further in than it says.
func paintLine(l *liner, b *line, st style, spans []highlight.Span, n *needle, here bool, shift int) {
	if b.right != nil {
		left := *b
		left.right = nil
		l.within(half(l.left), func() { paintLine(l, &left, st, spans, n, here, shift) })
		l.own(" │ ", border)
		paintLine(l, b.right, b.right.style, nil, n, here, 0)
		return
	}
	l.blank(b.indent + shift - 1)
	l.own(b.own, st)
	for i := range b.parts {
		p := &b.parts[i]
		l.own(p.own, faint)
		if b.marks {
			l.own(partMarks[p.kind][0], plain)
		}
		l.found(p.text.String()[p.from:p.to], partStyles[p.kind], n, here)
		if b.marks {
			l.own(partMarks[p.kind][1], plain)
		}
	}
	if b.to > b.from {
		l.coloured(b.text.String()[b.from:b.to], st, b.from, spans, n, here)
	}
}

// half is the width of a column of a screen of so many cells.
func half(width int) int { return (width - 3) / 2 }

// A lineBound is how many lines are laid out: a line takes more memory than most texts
// have on it.
type lineBound struct {
	each int   // of one part of a message
	all  int   // of all of them
	rest words // where what is left out is to be seen
}

// A pane shows less of a message than the pager does.
var (
	paneLines  = lineBound{200, 4000, " (enter opens all)"}
	pagerLines = lineBound{500_000, 500_000, " not shown: there are too many"}
)

// bodyIndent is the indent of the body of a message, in cells.
const bodyIndent = 5
