package ui

import (
	"context"
	"slices"
	"time"

	"agentlens/internal/export"
	"agentlens/internal/model"
)

// searchSlice is how long one command of a search may take before it reports.
const searchSlice = 60 * time.Millisecond

// A search is a needle and the rows it was found in so far.
type search struct {
	needle *needle
	hits   []int // items of the view that is searched, in order
	done   bool
	failed error
	jumped bool // the cursor went to the first hit
	from   int  // item the search began at
	seek   int  // item whose first line with the needle is still to be gone to, or -1
}

// nth is the place of an item among the hits, from 1; 0 when it is none.
func (s *search) nth(item int) int {
	n, ok := slices.BinarySearch(s.hits, item)
	if !ok {
		return 0
	}
	return n + 1
}

// next is the hit after an item in direction d, going around; ok is false when
// there is none.
func (s *search) next(item, d int) (hit int, ok bool) {
	if len(s.hits) == 0 {
		return 0, false
	}
	n, on := slices.BinarySearch(s.hits, item)
	switch {
	case d < 0:
		n--
	case on:
		n++
	}
	return s.hits[(n+len(s.hits))%len(s.hits)], true
}

// hits are what a part of a search found.
type hits struct {
	list []int
	next int // item to go on at, -1 when done
	err  error
}

// A seeker looks through a view and its history for a needle.
type seeker struct {
	reader
	shown  *shown
	needle *needle
}

// from looks through the texts, thinking and calls from item at on, for a while.
func (s *seeker) from(ctx context.Context, at int) hits {
	out := hits{next: -1}
	until := time.Now().Add(searchSlice)
	for ; at < len(s.shown.items); at++ {
		if ctx.Err() != nil {
			return out
		}
		if time.Now().After(until) {
			out.next = at
			return out
		}
		ok, err := s.holds(&s.shown.items[at])
		if err != nil && out.err == nil {
			out.err = err
		}
		if ok {
			out.list = append(out.list, at)
		}
	}
	return out
}

// holds reports whether the needle is in what an item shows, on the sides that
// are searched.
func (s *seeker) holds(it *item) (bool, error) {
	if it.kind == markerItem {
		from, _ := s.needle.Find(s.shown.marks[it.index].String())
		return from >= 0, nil
	}
	if w, ok := s.shown.want(it, false); ok && s.needle.scope != inView {
		if found, err := s.inMessage(w.message); found || err != nil {
			return found, err
		}
	}
	w, ok := s.shown.want(it, true)
	switch {
	case !ok || s.needle.scope == inHistory:
		return false, nil
	case w.message != nil && w.entry == nil: // as in the history
		if s.needle.scope == everywhere && it.kind == messageItem {
			return false, nil // looked at already
		}
		return s.inMessage(w.message)
	}
	for _, b := range s.blocks(w) {
		for _, text := range [...]string{b.text.String(), b.name.String()} {
			if from, _ := s.needle.Find(text); from >= 0 {
				return true, nil
			}
		}
	}
	return false, nil
}

func (s *seeker) inMessage(m *model.Message) (bool, error) {
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind > model.Thinking || p.Sealed {
			continue
		}
		if ok, err := s.inBody(p.Body); ok || err != nil {
			return ok, err
		}
	}
	for i := range m.Calls {
		if s.in(m.Calls[i].Name) {
			return true, nil
		}
		if ok, err := s.inBody(m.Calls[i].Args); ok || err != nil {
			return ok, err
		}
	}
	return s.in(m.ToolName), nil
}

func (s *seeker) inBody(ref model.Ref) (bool, error) {
	text, err := s.run.Body(ref)
	return err == nil && s.in(export.Readable(text)), err
}

// in reports whether the needle is in what is shown of a text. What a mask
// covers is not searched: a search that found a piece of a secret would tell it.
func (s *seeker) in(text string) bool {
	if from, _ := s.needle.Find(text); from < 0 {
		return false
	}
	from, _ := s.needle.Find(s.whole(text).String())
	return from >= 0
}
