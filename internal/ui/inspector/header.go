package inspector

import (
	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// gaugeCells is the width of the context gauge.
const gaugeCells = 8

// headerSpans are the columns of the arrows on both sides of the call number, for mouse clicks.
type headerSpans struct{ prev, next int }

// header paints the first line, with the run on the left and the call on the right.
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

// runLine paints the facts of the run. It omits the least important ones first.
func (r *inspector) runLine(l *kit.LineWriter) {
	l.Words(" lens ", kit.Accent)
	if r.reveal {
		l.Blank(1)
		l.Words(" REVEALED ", kit.Alarm)
	}
	l.Blank(1)
	if r.Labels == nil {
		l.Safe(r.name, kit.Title)
		return
	}
	for _, p := range r.runParts(l.Left) {
		if p.sep {
			l.Words(" · ", kit.Faint)
		}
		if p.most > 0 {
			l.Within(p.most, func() { l.Safe(p.safe, p.st) })
			continue
		}
		l.Safe(p.safe, p.st)
		l.Words(p.own, p.st)
	}
}

// A runPart is one fact of the header.
type runPart struct {
	safe safe.Safe
	own  kit.Words
	st   kit.Style
	rank int // parts with the highest rank are omitted first
	most int // largest width in cells; 0 is unlimited
	sep  bool
}

func (p *runPart) width() int { return text.Width(p.safe.String()) + text.Width(string(p.own)) + 3 }

// runParts returns the facts that fit into room cells.
func (r *inspector) runParts(room int) []runPart {
	s := r.Labels
	parts := []runPart{
		{safe: s.ID, st: kit.Strong, rank: 0},
		{safe: s.Title, st: kit.Title, rank: titleRank},
		{safe: s.Status, st: statusStyle(s.Run.Status), rank: 4},
		{safe: r.modelName(), st: kit.Dim, rank: 3},
		{own: kit.Plural(s.Counts.Calls, "call"), st: kit.Dim, rank: 7},
		{own: kit.Plural(s.Counts.Messages, "msg"), st: kit.Dim, rank: worstRank},
		{own: r.totals.Duration, st: kit.Dim, rank: 6},
		{own: r.totals.Cost, st: kit.Title, rank: costRank},
		{own: r.totals.Cached, st: kit.Dim, rank: 5},
	}
	if s.Title == s.ID || s.Title.String() == "" {
		parts[1] = runPart{}
	}
	if s.Run.Status == model.StatusUnknown {
		parts[2] = runPart{}
	}
	if c := r.ProviderCall(); c != nil {
		for _, b := range c.Badges.List() {
			t := view.BadgeTag(b)
			parts = append(parts, runPart{own: t.Text, st: t.St, rank: 1})
		}
	}
	for worst := worstRank; worst >= costRank; worst-- {
		if widthOf(parts, worst) <= room {
			return keep(parts, worst)
		}
	}
	if r.totals.Cost != "" && withCost(parts, room) {
		return keep(parts, costRank)
	}
	if widthOf(parts, titleRank) <= room {
		return keep(parts, titleRank)
	}
	return keep(parts, min(titleRank, room/titleRoom)) // only the title remains, truncated
}

// withCost makes room for the cost: it truncates the title, and omits the id if that is not
// enough. It returns false if neither is.
func withCost(parts []runPart, room int) bool {
	id, title := &parts[0], &parts[1]
	most := title.width() - 3
	if most <= 0 {
		return false
	}
	for _, kept := range [...]runPart{*id, {}} {
		was := *id
		*id = kept
		if rest := room - (widthOf(parts, costRank) - most); rest >= min(leastTitle, most) {
			title.most = min(rest, most)
			return true
		}
		*id = was
	}
	return false
}

// Ranks of parts, see runPart.
const (
	titleRank = 1
	costRank  = 2
	worstRank = 8
)

// The least widths at which a truncated title is shown, in cells: without the cost of the run, and
// next to it.
const (
	titleRoom  = 28
	leastTitle = 16
)

// widthOf returns the width in cells of the parts whose rank is at most worst.
func widthOf(parts []runPart, worst int) int {
	total := -3
	for i := range parts {
		if parts[i].width() > 3 && parts[i].rank <= worst {
			total += parts[i].width()
		}
	}
	return total
}

// keep returns the non-empty parts whose rank is at most worst.
func keep(parts []runPart, worst int) []runPart {
	kept := parts[:0]
	for _, p := range parts {
		if p.width() > 3 && p.rank <= worst {
			p.sep = len(kept) > 0
			kept = append(kept, p)
		}
	}
	return kept
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

// scrubber returns the right part of the header: the call and the context gauge.
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
	return append(parts, r.gauge()...)
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

// gauge returns the context size of the call relative to the model's context window.
func (r *inspector) gauge() []kit.Tag {
	s := r.msgs.Shown
	if s == nil || r.w < 60 {
		return nil
	}
	used, exact := r.ContextAt(r.Replayed(), s.Call)
	parts := []kit.Tag{{Text: "  ctx ", St: kit.Dim}, {Text: kit.About(used, exact), St: kit.Title}}
	window := s.Window.Tokens
	if window <= 0 {
		return append(append(parts, kit.Tag{Text: " ", St: kit.Plain}), r.pressure(0, 0)...)
	}
	filled := float64(used) / float64(window)
	full := int(min(max(filled*gaugeCells, 0), gaugeCells))
	if full == 0 && used > 0 {
		full = 1
	}
	st := kit.GaugeFull
	if filled > 0.9 {
		st = kit.Failure
	}
	parts = append(parts, kit.Tag{Text: "/" + kit.ShortFigure(window) + r.windowNote(s.Window) + " ", St: kit.Dim})
	parts = append(parts, kit.Tag{Text: kit.Repeat("▓", full), St: st}, kit.Tag{Text: kit.Repeat("░", gaugeCells-full), St: kit.Gauge}, kit.Tag{Text: " ", St: kit.Plain})
	return append(parts, r.pressure(used, window)...)
}

// Least widths of the screen, in cells, for the source of the window: for an assumed window, and
// for any.
const (
	assumedFrom = 120
	sourceFrom  = 160
)

// windowNote returns the source of the context window for the gauge. Narrow screens show "?" after
// an assumed window, and nothing after any other.
func (r *inspector) windowNote(w curate.Window) kit.Words {
	switch {
	case w.Assumed && r.w < assumedFrom:
		return "?"
	case w.Assumed, r.w >= sourceFrom:
		return " " + r.Gated(w.Note())
	}
	return ""
}
