package ui

import (
	"agentlens/internal/model"
	"agentlens/internal/ui/text"
)

// This file paints what became of the messages: the gaps of the view, and the gutter of
// the history.

// gutter is how many cells at the right of the history tell the fate.
const gutter = 3

// fateMarks are what the gutter shows beside a message that did not go out as
// it is: colour is never the only sign.
var fateMarks = [...]struct {
	mark words
	st   style
}{
	model.Kept:       {"   ", plain},
	model.WasChanged: {" c┊", changed},
	model.WasDropped: {" d┊", dropped},
	model.Added:      {" a┊", added},
}

// gapRow paints the right side of messages the view does not have: the first
// line on the screen says how many, the next one why.
func (m *messages) gapRow(l *liner, it *item, nth int, cursor bool) {
	g := &m.shown.gaps[it.gap]
	if cursor {
		m.bar(l, true)
	} else {
		l.own("┊", dropped)
	}
	switch {
	case nth == 0:
		l.blank(2)
		l.within(l.left-tokenCells-2, func() { m.gapWords(l, g) })
		t := about(g.tokens, m.shown.exact)
		l.blank(1 + tokenCells - text.Width(string(t)))
		l.own(t, faint)
	case nth == 1 && g.given && g.first < g.last:
		l.blank(4)
		m.gapCause(l, g)
	}
}

// gapWords says how many messages are missing, and why where the gap has no line
// below for it.
func (m *messages) gapWords(l *liner, g *gap) {
	of := g.count
	l.own("… ", dropped)
	l.number(g.count, dropped)
	if all := m.shown.counts[model.WasDropped]; g.given && g.count < all {
		of = all
		l.own(" of ", dropped)
		l.number(of, dropped)
	}
	switch {
	case l.left < narrowPane:
	case of == 1:
		l.own(" message", dropped)
	default:
		l.own(" messages", dropped)
	}
	if !g.given {
		l.own(" not given at this call", dropped)
		return
	}
	l.own(" dropped", dropped)
	if g.first == g.last || m.width[history] == 0 {
		l.own(" ", dropped)
		m.gapCause(l, g)
	}
}

// gapCause says which stage left the messages out, or what of the record did.
func (m *messages) gapCause(l *liner, g *gap) {
	if m.shown.view.Basis == model.Simulated {
		l.own("by ", dropped)
		l.safe(g.by, dim)
		return
	}
	l.safe(g.why, dim)
}

// fate paints the gutter at the right of the history.
func (m *messages) fate(l *liner, it *item, head bool) {
	e := m.shown.entry(it)
	if it.kind != messageItem || it.later {
		l.own("   ", plain)
		return
	}
	if e == nil {
		l.own("  ┊", dropped)
		return
	}
	f := fateMarks[e.Fate]
	if !head && e.Fate != model.Kept {
		f.mark = "  ┊"
	}
	l.own(f.mark, f.st)
}
