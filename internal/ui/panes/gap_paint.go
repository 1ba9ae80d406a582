package panes

import (
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// gapRow paints the view's side of a gap that is not folded: the number of messages in the first line
// on the screen, the reason in the next.
func (m *Messages) gapRow(l *kit.LineWriter, it *view.Item, nth int, cursor bool) {
	g := &m.Shown.Gaps[it.Gap]
	m.bar(l, cursor)
	switch {
	case nth == 0:
		l.Words(signDropped, kit.Deleted)
		l.Blank(1)
		l.Within(l.Left-view.TokenCells-2, func() { m.gapWords(l, g) })
		t := kit.About(g.Tokens, m.Shown.Exact)
		l.Blank(1 + view.TokenCells - text.Width(string(t)))
		l.Words(t, kit.Faint)
	case nth == 1 && g.Given && g.First < g.Last:
		l.Blank(2)
		m.gapCause(l, g)
	}
}

// gapWords paints the number of missing messages. It adds the reason if the gap has no
// second line.
func (m *Messages) gapWords(l *kit.LineWriter, g *view.Gap) {
	of := g.Count
	l.Number(g.Count, kit.Dropped)
	if all := m.Shown.Counts[model.WasDropped]; g.Given && g.Count < all {
		of = all
		l.Words(" of ", kit.Dropped)
		l.Number(of, kit.Dropped)
	}
	switch {
	case l.Left < view.NarrowPane:
	case of == 1:
		l.Words(" message", kit.Dropped)
	default:
		l.Words(" messages", kit.Dropped)
	}
	if !g.Given {
		l.Words(" not given at this call", kit.Dropped)
		return
	}
	l.Words(" dropped", kit.Dropped)
	if g.First == g.Last || m.Width[History] == 0 {
		l.Words(" ", kit.Dropped)
		m.gapCause(l, g)
	}
}

// gapCause paints the stage that dropped the messages, or the recorded reason.
func (m *Messages) gapCause(l *kit.LineWriter, g *view.Gap) {
	if m.Shown.View.Basis == model.Simulated {
		l.Words("by ", kit.Dropped)
		l.Safe(g.By, kit.Dim)
		return
	}
	l.Safe(g.Why, kit.Dim)
}
