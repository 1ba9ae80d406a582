package panes

import (
	"slices"

	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

var shortRoles = [...]kit.Words{model.System: "sys", model.User: "user", model.Assistant: "asst", model.Tool: "tool"}

// narrow reports whether both panes abbreviate roles.
func (m *Messages) narrow() bool {
	least := max(m.Width[History], m.Width[Sent])
	for _, w := range m.Width {
		if w > 0 {
			least = min(least, w)
		}
	}
	return least-gutter < view.NarrowPane
}

// head paints the first line of a message.
func (m *Messages) head(l *kit.LineWriter, it *view.Item, s Side, cursor bool) {
	w, _ := m.Shown.Request(it, s == Sent)
	narrow := m.narrow()
	away := away(it, s)
	m.bar(l, cursor)
	if m.isOpen(it) {
		l.Words("▾", kit.Dim)
	} else {
		l.Words("▸", kit.Faint)
	}
	m.index(l, it)
	role, st := Role(it, w, narrow)
	if away {
		st = kit.Dropped
	}
	cells := view.RoleCells
	if narrow {
		cells = len(shortRoles[model.User])
	}
	l.Within(cells, func() { l.Words(role, st) })
	l.Blank(1)

	tokens, exact := m.tokensOf(it, s)
	room := l.Left - view.TokenCells - 1
	badges := m.badges(it, s, w)
	taken := badgeRoom(badges, room)
	l.Within(room-taken, func() { m.summary(l, it, w, away) })
	for _, b := range badges {
		if n := text.Width(string(b.Text)) + 1; n <= taken {
			taken -= n
			l.Blank(1)
			l.Words(b.Text, b.St)
		}
	}
	l.Blank(taken)
	if tokens < 0 {
		return
	}
	t := kit.About(tokens, exact)
	l.Blank(1 + view.TokenCells - text.Width(string(t)))
	l.Words(t, kit.Faint)
}

// index paints the index of a message.
func (m *Messages) index(l *kit.LineWriter, it *view.Item) {
	n := kit.Words("")
	if it.Index >= 0 {
		n = safe.Int(it.Index)
	}
	l.Blank(m.Shown.Digits - len(n) + 1)
	l.Words(n, kit.Faint)
	l.Blank(1)
}

// Role returns the role of an item and its style.
func Role(it *view.Item, w view.Request, narrow bool) (kit.Words, kit.Style) {
	if it.Kind == view.PromptItem {
		if narrow {
			return "pmpt", kit.RoleSystem
		}
		return "prompt", kit.RoleSystem
	}
	var r model.Role
	if w.Message != nil {
		r = w.Message.Role
	} else if w.Entry != nil {
		r = w.Entry.Role
	}
	if narrow {
		return shortRoles[r], view.RoleStyles[r]
	}
	return safe.Name(r), view.RoleStyles[r]
}

// tokensOf returns the size of an item on a side and whether it is exact. The size is -1 if
// unknown.
func (m *Messages) tokensOf(it *view.Item, s Side) (int64, bool) {
	e := m.Shown.Entry(it)
	switch {
	case s == Sent && e != nil:
		return int64(e.Tokens), !m.Shown.View.Estimated
	case it.Kind == view.MessageItem && int(it.Index) < len(m.Shown.Tokens):
		return int64(m.Shown.Tokens[it.Index]), m.Shown.Exact
	}
	return -1, false
}

// summary paints the content of a folded message.
func (m *Messages) summary(l *kit.LineWriter, it *view.Item, w view.Request, away bool) {
	h := m.store.Get(w.Key)
	if h == nil {
		l.Words("…", kit.Faint)
		return
	}
	st, quiet := kit.Plain, kit.Dim
	if away {
		st, quiet = kit.Dropped, kit.Dropped
	}
	sum := &h.Summary
	if sum.Answers != nil {
		m.callWords(l, sum.Answers, quiet, quiet, true)
		return
	}
	if w.Message != nil && w.Message.Role == model.Tool {
		l.Safe(sum.Tool, quiet)
		l.Words(" ", quiet)
		if w.Message.IsError {
			l.Words("✗ ", kit.Failure)
		}
		st = quiet
	}
	said, open := sum.Text.String(), h.Whole && m.isOpen(it)
	if (said != "" || open) && fails(w.Message, sum) {
		l.Words("✗ ", kit.Failure)
	}
	if open { // the lines below show the rest
		return
	}
	if w.Message != nil && !w.Message.HasText() && w.Message.HasThinking() && (w.Entry == nil || w.Entry.Text == nil) {
		l.Words("∴ ", quiet)
		if said == "" && len(sum.Calls) == 0 {
			l.Words("thinking", quiet)
		}
		st = quiet
	}
	l.Found(said, st, m.Needle, false)
	for i := range sum.Calls {
		if i > 0 || said != "" {
			l.Words("  ", st)
		}
		m.callSummary(l, &sum.Calls[i], away)
	}
	if sum.Extra != "" {
		l.Words("  ▣ ", quiet)
		l.Words(sum.Extra, quiet)
	}
	if said == "" && len(sum.Calls) == 0 && sum.Extra == "" && (w.Message == nil || !w.Message.HasThinking()) {
		l.Words("(no text)", kit.Faint)
	}
}

// fails reports whether a message or one of its calls failed. The mark is painted first
// because a long text would hide a mark at the calls. Tool results have theirs after the
// tool name.
func fails(m *model.Message, sum *view.Summary) bool {
	if m == nil || m.Role == model.Tool {
		return false
	}
	return m.IsError || slices.ContainsFunc(sum.Calls, func(c view.CallSummary) bool { return c.Failed })
}

func (m *Messages) callSummary(l *kit.LineWriter, c *view.CallSummary, away bool) {
	st, arg := kit.RoleTool, kit.Dim
	if away {
		st, arg = kit.Dropped, kit.Dropped
	}
	l.Words("→ ", st)
	m.callWords(l, c, st, arg, false)
}
