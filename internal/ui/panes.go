package ui

import (
	"strconv"

	"agentlens/internal/ui/text"
)

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
				l.on(cursorShade, plain)
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
