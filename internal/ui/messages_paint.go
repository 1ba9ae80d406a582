package ui

import (
	"agentlens/internal/safe"
	"agentlens/internal/ui/highlight"
)

// row paints one line of one side into l, which has the inner width of the pane.
func (m *messages) row(l *liner, s side, p place, nth int, focused bool) {
	it := &m.shown.items[p.item]
	cursor := p == m.cursor
	switch {
	case it.kind == markerItem:
		m.rule(l, cursor && focused, markerWords(m.shown.marks[it.index]), marker)
		return
	case it.kind == horizonItem:
		m.horizonRule(l, cursor && focused)
		return
	}
	if s == sent && it.gap >= 0 {
		m.gapRow(l, it, nth, cursor && focused)
		return
	}
	end := 1
	if s == history {
		end = gutter
	}
	l.within(l.left-end, func() {
		switch {
		case !m.present(it, s):
			m.bar(l, cursor && focused)
		case p.line == 0:
			m.head(l, it, s, cursor && focused)
		default:
			m.bodyLine(l, it, s, p, cursor && focused)
		}
	})
	if s == history {
		m.fate(l, it, p.line == 0)
	}
}

// bar paints the first cell of a row, which tells the cursor without colours.
func (m *messages) bar(l *liner, cursor bool) {
	if cursor {
		l.own("▎", accent)
	} else {
		l.blank(1)
	}
}

// rule paints a line across the pane.
func (m *messages) rule(l *liner, cursor bool, label func(*liner), st style) {
	m.bar(l, cursor)
	l.own("── ", st)
	label(l)
	l.own(" ", st)
	l.own(repeat("─", l.left-1), st)
}

func markerWords(s safe.Safe) func(*liner) { return func(l *liner) { l.safe(s, marker) } }

func (m *messages) horizonRule(l *liner, cursor bool) {
	m.rule(l, cursor, func(l *liner) {
		call := &m.shown.thread.Calls[m.shown.call-1]
		l.own("call ", accent)
		l.number(m.shown.call, accent)
		l.own(" was sent here", accent)
		if reply, ok := call.Reply.Get(); ok {
			l.own(" · its reply is ", dim)
			l.number(reply, dim)
		}
	}, borderFocus)
}

// bodyLine paints line p.line of an unfolded message.
func (m *messages) bodyLine(l *liner, it *item, s side, p place, cursor bool) {
	m.bar(l, cursor)
	body := m.body(it, s)
	if p.line > len(body) {
		return
	}
	b := &body[p.line-1]
	st, spans := b.style, m.colours.of(b)
	if away(it, s) {
		st, spans = dropped, nil
	}
	paintLine(l, b, st, spans, m.needle, cursor, m.shown.digits-1)
}

// away reports whether what stands on a side was not part of what was sent.
func away(it *item, s side) bool { return it.later || s == history && it.gap >= 0 }

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
