package inspector

import (
	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// This file paints the first line of the screen: the run on the left, the call on the right.

// headerSpans are the columns of the arrows on both sides of the call number, for mouse clicks.
type headerSpans struct{ prev, next int }

// header paints the first line.
func (r *inspector) header(l *kit.LineWriter) {
	right := r.scrubber()
	width := 0
	for _, p := range right {
		width += text.Width(string(p.Text))
	}
	l.Within(l.Left-width-1, func() { r.runLine(l) })
	l.Blank(1)
	at := r.w - width
	for _, p := range right {
		switch p.Text {
		case "◀ ":
			r.spans.prev = at
		case " ▶":
			r.spans.next = at + 1
		}
		at += text.Width(string(p.Text))
		l.Words(p.Text, p.St)
	}
}

// runLine paints the totals of the run.
func (r *inspector) runLine(l *kit.LineWriter) {
	l.Blank(1)
	if r.reveal {
		l.Words(" REVEALED ", kit.Alarm)
		l.Blank(1)
	}
	if r.Labels == nil {
		l.Words("lens  ", kit.Accent)
		l.Safe(r.name, kit.Title)
		return
	}
	parts := r.runParts(l.Left)
	rest := l.Left - widthOf(parts)
	l.Within(min(text.Width(r.title().String()), rest), func() { l.Safe(r.title(), kit.Strong) })
	for _, p := range parts {
		if p.joined {
			l.Blank(1)
		} else {
			l.Words(" · ", kit.Faint)
		}
		l.Safe(p.safe, p.st)
		l.Words(p.own, p.st)
	}
}

// title returns the title of the run, or its id.
func (r *inspector) title() safe.Safe {
	if r.Labels.Title.String() == "" {
		return r.Labels.ID
	}
	return r.Labels.Title
}

// A runPart is one fact of the header.
type runPart struct {
	safe   safe.Safe
	own    kit.Words
	st     kit.Style
	rank   int  // parts with the highest rank are omitted first, those with rank 0 never
	joined bool // follows the previous part without a dot
}

func (p *runPart) width() int {
	w := text.Width(p.safe.String()) + text.Width(string(p.own))
	if p.joined {
		return w + 1
	}
	return w + 3
}

// leastTitle is the width that the title keeps, in cells, while other facts are shown.
const leastTitle = 20

// runParts returns the facts that fit into room cells next to the title.
func (r *inspector) runParts(room int) []runPart {
	room -= min(leastTitle, text.Width(r.title().String()))
	parts := r.allParts()
	for worst := worstRank; worst > 0; worst-- {
		if widthOf(parts) <= room {
			break
		}
		kept := parts[:0]
		for _, p := range parts {
			if p.rank < worst {
				kept = append(kept, p)
			}
		}
		parts = kept
	}
	return parts
}

// worstRank is the largest rank of a part.
const worstRank = 9

// allParts returns the known facts of the run in the order of the header.
func (r *inspector) allParts() []runPart {
	s, t := r.Labels, r.totals
	parts := append(r.liveParts(), []runPart{
		{safe: s.ShortModels[r.Model()], st: kit.Dim, rank: 5},
		{own: kit.Plural(s.Counts.Calls, "call"), st: kit.Dim, rank: 7},
		{own: t.Duration, st: kit.Dim, rank: 6},
		{own: t.Cost, st: kit.Title, rank: 1},
		{own: t.Cached, st: kit.Dim, rank: 4},
	}...)
	if s.Run.Status != model.StatusUnknown {
		parts = append([]runPart{{safe: s.Status, st: statusStyle(s.Run.Status), rank: 3}}, parts...)
	}
	joined := false
	for _, c := range [...]struct {
		n    int
		sign kit.Words
		st   kit.Style
		rank int
	}{{t.Failed, "✗", kit.Failure, 2}, {t.Compactions, "▼", kit.Marker, 2}, {t.Warnings, "⚠", kit.Changed, 2}} {
		if c.n > 0 {
			parts = append(parts, runPart{own: c.sign + kit.Int(c.n), st: c.st, rank: c.rank, joined: joined})
			joined = true
		}
	}
	if c := r.ProviderCall(); c != nil {
		for _, b := range c.Badges.List() {
			g := view.BadgeTag(b)
			parts = append(parts, runPart{own: g.Text, st: g.St, rank: 1})
		}
	}
	if s.Title.String() != "" && s.Title != s.ID {
		parts = append(parts, runPart{safe: s.ID, st: kit.Faint, rank: worstRank})
	}
	known := parts[:0]
	for _, p := range parts {
		if p.safe.String() != "" || p.own != "" {
			known = append(known, p)
		}
	}
	return known
}

// widthOf returns the width of parts in cells, with their separators.
func widthOf(parts []runPart) (total int) {
	for i := range parts {
		total += parts[i].width()
	}
	return total
}

func statusStyle(s model.Status) kit.Style {
	switch s {
	case model.StatusFailed, model.StatusCancelled:
		return kit.Failure
	case model.StatusCompleted:
		return kit.RoleUser
	case model.StatusPaused, model.StatusAwaiting, model.StatusIdle, model.StatusRunning:
		return kit.Changed
	}
	return kit.Dim
}

// basisFrom is the width of the screen, in cells, from which the header shows the basis of the view.
const basisFrom = 110

// scrubber returns the right part of the header: the call and the basis of its view.
func (r *inspector) scrubber() []kit.Tag {
	t := r.Thread()
	if t == nil {
		return nil
	}
	n := kit.Words("next")
	if r.Call <= len(t.Calls) {
		n = kit.Int(r.Call) + "/" + kit.Int(len(t.Calls))
	}
	prev, next := kit.Accent, kit.Accent
	if r.Call <= 1 {
		prev = kit.Faint
	}
	if r.Call > len(t.Calls) {
		next = kit.Faint
	}
	parts := append(r.counted(), kit.Tag{Text: "call ", St: kit.Dim}, kit.Tag{Text: "◀ ", St: prev}, kit.Tag{Text: n, St: kit.Strong}, kit.Tag{Text: " ▶", St: next})
	if v := r.msgs.Shown; v != nil && r.w >= basisFrom {
		b := view.BasisWords(v)
		parts = append(parts, kit.Tag{Text: "  ", St: kit.Plain}, kit.Tag{Text: b.Text, St: b.St})
	}
	return append(parts, kit.Tag{Text: " ", St: kit.Plain})
}

// counted returns the token-counting progress of a big thread.
func (r *inspector) counted() []kit.Tag {
	if r.counting == nil || r.w < 100 {
		return nil
	}
	n := r.counting.percent.Load()
	if n == 0 {
		return nil
	}
	return []kit.Tag{{Text: "counting " + kit.Figure(int64(n)) + "%  ", St: kit.Faint}}
}

// Least widths of the screen, in cells, for the source of the window: for an assumed window, and
// for any.
const (
	assumedFrom = 120
	sourceFrom  = 160
)

// windowNote returns the source of the context window. Narrow screens show "?" after an assumed
// window, and nothing after any other.
func (r *inspector) windowNote(w curate.Window) kit.Words {
	switch {
	case w.Assumed && r.w < assumedFrom:
		return "?"
	case w.Assumed, r.w >= sourceFrom:
		return " " + r.Gated(w.Note())
	}
	return ""
}
