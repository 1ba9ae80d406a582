package ui

import (
	"slices"
	"strconv"

	"agentlens/internal/model"
	"agentlens/internal/ui/text"
)

// This file paints the first line of a message.

var shortRoles = [...]words{model.System: "sys", model.User: "user", model.Assistant: "asst", model.Tool: "tool"}

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

// head paints the first line of a message.
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
	said, open := sum.text.String(), h.whole && m.isOpen(it)
	if (said != "" || open) && fails(w.message, sum) {
		l.own("✗ ", failure)
	}
	if open { // the lines below say the rest
		return
	}
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

// fails reports whether a message failed, or a call of it did: a mark that stands at the
// calls alone would be lost behind a long text. Results are marked beside their tool.
func fails(m *model.Message, sum *summary) bool {
	if m == nil || m.Role == model.Tool {
		return false
	}
	return m.IsError || slices.ContainsFunc(sum.calls, func(c callSummary) bool { return c.failed })
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
