package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// This file is how a search begins, goes on and is walked through.

// findTyped ends the search line with what it made.
func (r *root) findTyped(n *needle) tea.Cmd {
	r.typing = nil
	if n == nil {
		return nil
	}
	return r.find(n)
}

// askSearch begins to type a search.
func (r *root) askSearch() { r.typing = &ask{line: newInput(""), scoped: true, past: &r.searched} }

// find begins a search.
func (r *root) find(n *needle) tea.Cmd {
	r.clearSearch()
	if n == nil || r.noView() != "" {
		return nil
	}
	r.leaveSpot()
	return r.seek(n, &search{needle: n, from: r.msgs.cursor.item, seek: -1})
}

// findAgain looks for the same in another view, and leaves the cursor alone.
func (r *root) findAgain() tea.Cmd {
	s := r.search
	if s == nil {
		return nil
	}
	return r.seek(s.needle, &search{needle: s.needle, jumped: true, from: s.from, seek: s.seek})
}

func (r *root) seek(n *needle, s *search) tea.Cmd {
	r.search, r.msgs.needle = s, n
	return r.seekFrom(0)
}

// seekFrom looks for a while from an item of the view on, in a command.
func (r *root) seekFrom(at int) tea.Cmd {
	seek := r.seeker()
	return r.jobs.Start(searchJob, func(ctx context.Context) func() tea.Cmd {
		found := seek.from(ctx, at)
		return func() tea.Cmd { return r.takeHits(found) }
	})
}

func (r *root) clearSearch() {
	r.jobs.Stop(searchJob)
	r.search, r.msgs.needle = nil, nil
}

// takeHits takes over what a part of a search found and goes on.
func (r *root) takeHits(msg hits) tea.Cmd {
	s := r.search
	s.hits = append(s.hits, msg.list...)
	s.done = msg.next < 0
	if msg.err != nil {
		s.failed = msg.err
	}
	if !s.jumped && len(s.hits) > 0 && (s.done || s.hits[len(s.hits)-1] >= s.from) {
		s.jumped = true
		if hit, ok := s.next(s.from-1, 1); ok {
			r.showHit(hit)
		}
	}
	if s.done {
		return nil
	}
	return r.seekFrom(msg.next)
}

// seeker looks for what is searched for now.
func (r *root) seeker() *seeker {
	return &seeker{r.readerOf(r.msgs.shown.thread), r.msgs.shown, r.search.needle}
}

// jump goes to the next hit in direction d.
func (r *root) jump(d int) {
	if hit, ok := r.search.next(r.msgs.cursor.item, d); ok {
		r.showHit(hit)
	}
}

// showHit unfolds an item and puts the cursor on it.
func (r *root) showHit(i int) {
	if r.focus == threadsPane {
		r.toPane(historyPane)
	}
	if i >= len(r.msgs.shown.items) {
		return
	}
	if it := &r.msgs.shown.items[i]; it.kind != markerItem {
		r.msgs.setOpen(it, true)
	}
	r.msgs.goTo(i, r.msgs.rows)
	r.search.seek = i
	r.seekHit()
}

// seekHit goes to the line of a hit once its message is loaded.
func (r *root) seekHit() {
	if r.search == nil || r.search.seek < 0 {
		return
	}
	it := r.msgs.at()
	if it == nil || r.msgs.cursor.item != r.search.seek || it.kind == markerItem {
		r.search.seek = -1 // the person went on
		return
	}
	for _, s := range [...]side{history, sent} {
		w, ok := r.msgs.shown.want(it, s == sent)
		if !ok || r.msgs.width[s] == 0 {
			continue
		}
		if h := r.store.get(w.key); h == nil || !h.whole {
			return
		}
		for i, l := range r.msgs.body(it, s) {
			if from, _ := r.search.needle.Find(l.text.String()[l.from:l.to]); from >= 0 {
				r.search.seek = -1
				r.msgs.goToLine(place{r.msgs.cursor.item, i + 1}, r.msgs.rows)
				return
			}
		}
	}
	r.search.seek = -1
}

// searchHint and stepBackHint stand for the keys that walk through what was found, and
// that end it.
var (
	searchHint   = hint{"n N", "next, before"}
	stepBackHint = hint{"esc", "end"}
)

// searchLine says how a search goes.
func (r *root) searchLine(l *liner) {
	s := r.search
	l.own(" / ", accent)
	l.own(words(s.needle.text), plain)
	if s.needle.scope != everywhere {
		l.own(" in "+scopeNames[s.needle.scope], dim)
	}
	l.blank(2)
	switch n := s.nth(r.msgs.cursor.item); {
	case len(s.hits) == 0 && s.done:
		l.own("not found", failure)
	case n > 0:
		l.own(words(fmt.Sprintf("%d/%d", n, len(s.hits))), strong)
	default:
		l.own(words(fmt.Sprintf("%d found", len(s.hits))), strong)
	}
	if !s.done {
		l.own("…", dim)
	}
	if s.failed != nil {
		l.own("  some texts could not be read", failure)
	}
	l.blank(2)
	hints(l, []hint{searchHint, stepBackHint})
}
