package ui

import (
	"context"

	"agentlens/internal/ui/job"

	tea "github.com/charmbracelet/bubbletea"
)

// Bounds of what is looked through on the way of a frame; the rest is left to a command.
const (
	huntAtOnce = 64 << 10 // bytes
	huntPlace  = 16       // bytes that a place costs beside its text
)

// A hunt looks through the places of a text for the next one that holds what is searched
// for, going around. Commands go on with it: what it looks at must not change.
type hunt struct {
	count int              // of places
	size  func(at int) int // of a place, in bytes
	holds func(at int) bool
	at    int // the place it is at, -1 before the first
	step  int // 1 or -1
	seen  int // places it looked at
}

// next looks through about so many bytes at most, all there are for 0. done tells
// whether it has come to its end: with the place found, or -1.
func (h *hunt) next(ctx context.Context, most int) (found int, done bool) {
	for cost := 0; h.seen < h.count && ctx.Err() == nil; h.seen++ {
		at := ((h.at+h.step)%h.count + h.count) % h.count
		if cost += huntPlace + h.size(at); most > 0 && cost > most {
			return -1, false
		}
		if h.at = at; h.holds(at) {
			return at, true
		}
	}
	return -1, true
}

// A hunter has one hunt at a time.
type hunter struct {
	now *hunt // under way, or nil
}

// begin hunts, and calls take with what was found, -1 for nothing: at once, or when the job
// that it returns the command of is done.
func (hr *hunter) begin(h host, hunt *hunt, take func(found int)) tea.Cmd {
	hr.now = nil
	if found, done := hunt.next(context.Background(), huntAtOnce); done {
		h.stop(hr.key())
		take(found)
		return nil
	}
	hr.now = hunt
	return h.start(hr.key(), func(ctx context.Context) func() tea.Cmd {
		found, _ := hunt.next(ctx, 0)
		return func() tea.Cmd {
			if hr.now == hunt {
				hr.now = nil
				take(found)
			}
			return nil
		}
	})
}

func (hr *hunter) key() job.Key { return job.Key{Kind: "search in a screen", Of: hr} }

// end drops what is under way: what it looks through has changed.
func (hr *hunter) end() { hr.now = nil }

// searching is said while a hunt goes on.
const searching = "searching…"
