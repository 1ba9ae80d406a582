package ui

import (
	"strconv"

	"agentlens/internal/model"
	"agentlens/internal/ui/text"
)

// A frame paints the border of a pane around its rows.
type frame struct {
	th      *theme
	focused bool
	title   func(l *liner)
	row     func(l *liner, y int) // paints row y
	foot    words                 // in the bottom border
}

// render gives exactly h lines of exactly w cells.
func (f *frame) render(l *liner, w, h int) []string {
	out := make([]string, 0, h)
	edge := border
	if f.focused {
		edge = borderFocus
	}
	l.reset(f.th, w, noShade)
	l.own("╭ ", edge)
	l.within(w-3, func() {
		f.title(l)
		if l.left > 0 {
			l.blank(1)
		}
		l.own(repeat("─", l.left), edge)
	})
	l.own("╮", edge)
	out = append(out, l.String())
	for y := range h - 2 {
		l.reset(f.th, w, noShade)
		l.own("│", edge)
		l.within(w-2, func() { f.row(l, y) })
		l.shade = noShade
		l.sgr(edge)
		l.own("│", edge)
		out = append(out, l.String())
	}
	l.reset(f.th, w, noShade)
	l.own("╰", edge)
	foot := f.foot
	if n := text.Width(string(foot)); n > 0 && n+6 < w {
		l.own(repeat("─", w-n-5), edge)
		l.own(" ", edge)
		l.own(foot, dim)
		l.own(" ", edge)
	}
	l.own(repeat("─", l.left-1), edge)
	l.own("╯", edge)
	return append(out, l.String())
}

// threadsFrame paints the threads pane.
func (r *root) threadsFrame() []string {
	at := r.lay.panes[threadsPane]
	focused := r.focus == threadsPane
	f := frame{
		th: r.th, focused: focused && !r.strip.scrub,
		title: func(l *liner) { l.own("threads", title) },
		row: func(l *liner, y int) {
			i := r.tree.top + y
			if i >= len(r.tree.nodes) {
				return
			}
			if i == r.tree.cursor && focused {
				l.shade = cursorShade
				l.sgr(plain)
			}
			r.tree.row(l, i, focused)
			l.to(0)
		},
	}
	return f.render(r.linerAt(at.x), at.w, at.h)
}

// linerAt is the liner for lines that begin at column x of the screen.
func (r *root) linerAt(x int) *liner {
	r.liner.origin = x
	return &r.liner
}

// messagesFrame paints one of the two message panes.
func (r *root) messagesFrame(s side) []string {
	p := historyPane + pane(s)
	at := r.lay.panes[p]
	focused := r.focus == p
	m := r.msgs
	framed := focused && !r.strip.scrub // else the timeline has the keys
	f := frame{th: r.th, focused: framed, title: func(l *liner) { r.messagesTitle(l, s, framed) }}
	if m.shown == nil || m.count == 0 {
		f.row = func(l *liner, y int) { r.emptyRow(l, y, s) }
		return f.render(r.linerAt(at.x), at.w, at.h)
	}
	if s == sent || m.width[sent] == 0 {
		f.foot = m.position()
	}
	next, ok := m.top, true
	gap, nth := int32(-1), 0 // of the row before, and its place among those of its gap
	f.row = func(l *liner, y int) {
		if !ok {
			return
		}
		if next == m.cursor {
			l.shade = weakShade
			if focused {
				l.shade = cursorShade
			}
			l.sgr(plain)
		}
		if g := m.shown.items[next.item].gap; g != gap {
			gap, nth = g, 0
		} else {
			nth++
		}
		m.row(l, s, next, nth, focused)
		l.to(0)
		next, ok = m.step(next, 1)
	}
	return f.render(r.linerAt(at.x), at.w, at.h)
}

// position is the message at the cursor, and the last there is.
func (m *messages) position() words {
	it := &m.shown.items[m.cursor.item]
	n := m.shown.message(m.cursor.item)
	if it.kind == messageItem {
		n = int(it.index)
	}
	if m.shown.thread.Len() == 0 {
		return ""
	}
	return "message " + figureWhole(max(n, 0)) + " · last " + figureWhole(m.shown.thread.Len()-1)
}

// emptyRow says why a pane is empty.
func (r *root) emptyRow(l *liner, y int, s side) {
	if y != 1 || s != history && r.lay.panes[historyPane].w > 0 {
		return
	}
	l.blank(2)
	switch {
	case r.threadNow() == nil:
		l.own("this run has no thread", dim)
	case r.msgs.shown == nil:
		l.own("…", faint)
	case len(r.scene.docs) > 0:
		l.own("this thread has no message; its documents stand under 1", dim)
	default:
		l.own("this thread has no message", dim)
	}
}

// waitingFrame fills the screen until there is a run: how far the load is, or
// why it failed.
func (r *root) waitingFrame() []string {
	f := frame{th: r.th, title: func(l *liner) { l.safe(r.name, title) }}
	var why []text.Span
	if r.loadErr != nil {
		why, _ = text.Wrap(nil, r.loadText.String(), r.w-6, r.h)
	}
	f.row = func(l *liner, y int) {
		switch {
		case y < 1:
		case r.loadErr == nil && y == 1:
			l.blank(1)
			r.progressLine(l)
		case y-1 < len(why):
			l.blank(2)
			l.span(r.loadText, why[y-1].From, why[y-1].To, failure)
		}
	}
	return f.render(r.linerAt(0), r.w, r.h-3-r.lay.strip-r.lay.panel)
}

// messagesTitle names a message pane and counts what is in it.
func (r *root) messagesTitle(l *liner, s side, focused bool) {
	name := title
	if focused {
		name = accent
	}
	v := r.msgs.shown
	if s == history {
		l.own("full history", name)
		if v == nil {
			return
		}
		given, all := v.view.Original.Messages, v.thread.Len()
		count := plural(all, "msg")
		if given != all {
			count = words(strconv.Itoa(given)) + " of " + count
		}
		titleFacts(l, count, about(v.view.Original.Tokens, v.exact))
		return
	}
	l.own("provider saw", name)
	if v == nil {
		return
	}
	l.own(" · ", faint)
	b := basisWords(v)
	l.own(b.text, b.st)
	if v.whatIf && l.left > 36 {
		l.own(": passthrough", b.st)
	}
	titleFacts(l, plural(v.view.Curated.Messages, "msg"), about(v.view.Curated.Tokens, !v.view.Estimated))
}

// titleFacts adds those facts to a title that fit whole.
func titleFacts(l *liner, facts ...words) {
	for _, f := range facts {
		if text.Width(string(f))+3 > l.left {
			return
		}
		l.own(" · ", faint)
		l.own(f, dim)
	}
}

// basisWords says how the view is known.
func basisWords(v *shown) tag {
	switch {
	case v.failed:
		return tag{"the chain failed", failure}
	case v.view.External:
		return tag{"external", added}
	case v.whatIf:
		return tag{"not recorded — what-if", changed}
	case v.view.Basis == model.Recorded:
		return tag{"recorded", roleUser}
	case v.view.Basis == model.Derived:
		return tag{"reconstructed", marker}
	case v.view.Basis == model.Simulated:
		return tag{"simulated", added}
	}
	return tag{words(v.view.Basis.String()), dim}
}
