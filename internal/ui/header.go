package ui

import (
	"strconv"

	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/text"
)

// gaugeCells is the width of the context gauge.
const gaugeCells = 8

// headerSpans are where the arrows of the call scrubber stand, for the mouse.
type headerSpans struct{ prev, next int }

// header paints the first line: the run at the left, the call at the right.
func (r *root) header(l *liner) {
	right := r.scrubber()
	width := 0
	for _, p := range right {
		width += text.Width(string(p.text))
	}
	l.within(l.left-width-1, func() { r.runLine(l) })
	l.blank(1)
	at := r.w - width
	for _, p := range right {
		switch p.text {
		case "◀ ":
			r.spans.prev = at
		case " ▶":
			r.spans.next = at + 1
		}
		at += text.Width(string(p.text))
		l.own(p.text, p.st)
	}
}

// runLine says what run this is; what does not fit is left out from the least
// important on.
func (r *root) runLine(l *liner) {
	l.own(" lens ", accent)
	if r.reveal {
		l.blank(1)
		l.own(" REVEALED ", alarm)
	}
	l.blank(1)
	if r.scene == nil {
		l.safe(r.name, title)
		return
	}
	for _, p := range r.runParts(l.left) {
		if p.sep {
			l.own(" · ", faint)
		}
		l.safe(p.safe, p.st)
		l.own(p.own, p.st)
	}
}

// runPart is one fact of the header.
type runPart struct {
	safe safe.Safe
	own  words
	st   style
	rank int // the higher, the sooner it is left out
	sep  bool
}

func (p *runPart) width() int { return text.Width(p.safe.String()) + text.Width(string(p.own)) + 3 }

// runParts lists the facts that fit into room cells.
func (r *root) runParts(room int) []runPart {
	s := r.scene
	parts := []runPart{
		{safe: s.id, st: strong, rank: 0},
		{safe: s.title, st: title, rank: 1},
		{safe: s.status, st: statusStyle(s.run.Status), rank: 4},
		{safe: r.modelName(), st: dim, rank: 3},
		{own: plural(s.counts.Messages, "msg"), st: dim, rank: 5},
		{own: plural(s.counts.Calls, "call"), st: dim, rank: 6},
	}
	if s.title == s.id || s.title.String() == "" {
		parts[1] = runPart{}
	}
	if s.run.Status == model.StatusUnknown {
		parts[2] = runPart{}
	}
	if c := r.callAt(); c != nil {
		for _, b := range c.Badges.List() {
			t := badgeTag(b)
			parts = append(parts, runPart{own: t.text, st: t.st, rank: 1})
		}
	}
	for worst := 6; worst > 0; worst-- {
		total := 0
		for i := range parts {
			if parts[i].width() > 3 && parts[i].rank <= worst {
				total += parts[i].width()
			}
		}
		if total-3 <= room {
			return keep(parts, worst)
		}
	}
	return keep(parts, min(1, room/titleRoom)) // the title is cut
}

// titleRoom is the least room in which a cut title still says something.
const titleRoom = 28

// keep leaves out empty parts and those ranked above worst.
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

func statusStyle(s model.Status) style {
	switch s {
	case model.StatusFailed, model.StatusCancelled:
		return failure
	case model.StatusCompleted:
		return roleUser
	case model.StatusPaused, model.StatusAwaiting, model.StatusRunning:
		return changed
	}
	return dim
}

// scrubber is the right of the header: the call, and the context gauge.
func (r *root) scrubber() []tag {
	t := r.threadNow()
	if t == nil {
		return nil
	}
	n := words("next")
	if r.call <= len(t.Calls) {
		n = words(strconv.Itoa(r.call)) + "/" + words(strconv.Itoa(len(t.Calls)))
	}
	prev, next := accent, accent
	if r.call <= 1 {
		prev = faint
	}
	if r.call > len(t.Calls) {
		next = faint
	}
	parts := append(r.counted(), tag{"call ", dim}, tag{"◀ ", prev}, tag{n, strong}, tag{" ▶", next})
	return append(parts, r.gauge()...)
}

// counted is how far the tokens of a big thread are counted.
func (r *root) counted() []tag {
	if r.counting == nil || r.w < 100 {
		return nil
	}
	n := r.counting.percent.Load()
	if n == 0 {
		return nil
	}
	return []tag{{"counting " + figure(int64(n)) + "%  ", faint}}
}

// gauge is the size of the context of the call against the window of the model.
func (r *root) gauge() []tag {
	s := r.msgs.shown
	if s == nil || r.w < 60 {
		return nil
	}
	used, exact := r.contextAt(r.replayed(), s.call)
	parts := []tag{{"  ctx ", dim}, {about(used, exact), title}}
	window := r.windows(s.thread)(s.call)
	if window <= 0 {
		return append(parts, tag{" ", plain})
	}
	filled := float64(used) / float64(window)
	full := int(min(max(filled*gaugeCells, 0), gaugeCells))
	if full == 0 && used > 0 {
		full = 1
	}
	st := gaugeFull
	if filled > 0.9 {
		st = failure
	}
	return append(parts, tag{"/" + figureShort(window) + " ", dim}, tag{repeat("▓", full), st}, tag{repeat("░", gaugeCells-full), gauge}, tag{" ", plain})
}

// figureShort is figure without a fraction of zero: 128k, not 128.0k.
func figureShort(n int64) words {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return words(strconv.FormatInt(n/1_000_000, 10)) + "M"
	case n >= 1000 && n%1000 == 0:
		return words(strconv.FormatInt(n/1000, 10)) + "k"
	}
	return figure(n)
}
