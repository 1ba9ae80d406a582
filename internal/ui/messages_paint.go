package ui

import (
	"strconv"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/ui/highlight"
	"agentlens/internal/ui/text"
)

// gutter is how many cells at the right of the history tell the fate.
const gutter = 3

// Widths of the columns of a row.
const (
	tokenCells  = 6
	roleCells   = 9
	narrowPane  = 58 // below it roles are short
	minTextRoom = 14
)

var shortRoles = [...]words{model.System: "sys", model.User: "user", model.Assistant: "asst", model.Tool: "tool"}

var roleStyles = [...]style{model.System: roleSystem, model.User: roleUser, model.Assistant: roleAssistant, model.Tool: roleTool}

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

func markerWords(s export.Safe) func(*liner) { return func(l *liner) { l.safe(s, marker) } }

func (m *messages) horizonRule(l *liner, cursor bool) {
	m.rule(l, cursor, func(l *liner) {
		call := &m.shown.thread.Calls[m.shown.call-1]
		l.own("call ", accent)
		l.number(m.shown.call, accent)
		l.own(" was sent here", accent)
		if call.Reply >= 0 {
			l.own(" · its reply is ", dim)
			l.number(int(call.Reply), dim)
		}
	}, borderFocus)
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

// head paints the first line of a message.
// narrow reports whether roles are short, in both panes alike.
func (m *messages) narrow() bool {
	least := max(m.width[history], m.width[sent])
	for _, w := range m.width {
		if w > 0 {
			least = min(least, w)
		}
	}
	return least-gutter < narrowPane
}

func (m *messages) head(l *liner, it *item, s side, cursor bool) {
	w, _ := m.shown.want(it, s == sent)
	narrow := m.narrow()
	away := away(it, s)
	m.bar(l, cursor)
	if m.isOpen(it) {
		l.own("▾", dim)
	} else {
		l.own("▸", faint)
	}
	m.index(l, it)
	role, st := m.role(it, w, narrow)
	if away {
		st = dropped
	}
	cells := roleCells
	if narrow {
		cells = len(shortRoles[model.User])
	}
	l.within(cells, func() { l.own(role, st) })
	l.blank(1)

	tokens, exact := m.tokensOf(it, s)
	room := l.left - tokenCells - 1
	badges := m.badges(it, s, w)
	taken := badgeRoom(badges, room)
	l.within(room-taken, func() { m.summary(l, it, w, away) })
	for _, b := range badges {
		if n := text.Width(string(b.text)) + 1; n <= taken {
			taken -= n
			l.blank(1)
			l.own(b.text, b.st)
		}
	}
	l.blank(taken)
	if tokens < 0 {
		return
	}
	t := about(tokens, exact)
	l.blank(1 + tokenCells - text.Width(string(t)))
	l.own(t, faint)
}

// index paints the place of a message in its thread.
func (m *messages) index(l *liner, it *item) {
	n := ""
	if it.index >= 0 {
		n = strconv.Itoa(int(it.index))
	}
	l.blank(m.shown.digits - len(n) + 1)
	l.own(words(n), faint)
	l.blank(1)
}

func (m *messages) role(it *item, w want, narrow bool) (words, style) {
	if it.kind == promptItem {
		if narrow {
			return "pmpt", roleSystem
		}
		return "prompt", roleSystem
	}
	var r model.Role
	if w.message != nil {
		r = w.message.Role
	} else if w.entry != nil {
		r = w.entry.Role
	}
	if narrow {
		return shortRoles[r], roleStyles[r]
	}
	return words(r.String()), roleStyles[r]
}

// tokensOf is the size of a message on a side, -1 when it is not told.
func (m *messages) tokensOf(it *item, s side) (int64, bool) {
	e := m.shown.entry(it)
	switch {
	case s == sent && e != nil:
		return int64(e.Tokens), !m.shown.view.Estimated
	case it.kind == messageItem && int(it.index) < len(m.shown.tokens):
		return int64(m.shown.tokens[it.index]), m.shown.exact
	}
	return -1, false
}

// summary paints what a message says, on one line.
func (m *messages) summary(l *liner, it *item, w want, away bool) {
	h := m.store.get(w.key)
	if h == nil {
		l.own("…", faint)
		return
	}
	st, quiet := plain, dim
	if away {
		st, quiet = dropped, dropped
	}
	sum := &h.summary
	if w.message != nil && w.message.Role == model.Tool {
		l.safe(sum.tool, quiet)
		l.own(" ", quiet)
		if w.message.IsError {
			l.own("✗ ", failure)
		}
		st = quiet
	}
	if h.whole && m.isOpen(it) { // the lines below say the rest
		return
	}
	said := sum.text.String()
	if w.message != nil && !w.message.HasText() && w.message.HasThinking() && (w.entry == nil || w.entry.Text == nil) {
		l.own("∴ ", quiet)
		if said == "" && len(sum.calls) == 0 {
			l.own("thinking", quiet)
		}
		st = quiet
	}
	l.found(said, st, m.needle, false)
	for i := range sum.calls {
		if i > 0 || said != "" {
			l.own("  ", st)
		}
		m.callSummary(l, &sum.calls[i], away)
	}
	if sum.extra != "" {
		l.own("  ▣ ", quiet)
		l.own(sum.extra, quiet)
	}
	if said == "" && len(sum.calls) == 0 && sum.extra == "" && (w.message == nil || !w.message.HasThinking()) {
		l.own("(no text)", faint)
	}
}

func (m *messages) callSummary(l *liner, c *callSummary, away bool) {
	st, arg := roleTool, dim
	if away {
		st, arg = dropped, dropped
	}
	l.own("→ ", st)
	if c.failed {
		l.own("✗ ", failure)
	}
	l.found(c.name.String(), st, m.needle, false)
	l.own("(", arg)
	l.found(c.args.String(), arg, m.needle, false)
	l.own(")", arg)
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
	l.blank(b.indent + shift - 1)
	l.own(b.own, st)
	for i := range b.parts {
		p := &b.parts[i]
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
