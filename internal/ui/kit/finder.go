package kit

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/job"
)

// Bounds of what is looked through on the way of a frame; the rest is left to a command.
const (
	huntAtOnce = 64 << 10 // bytes
	huntPlace  = 16       // bytes that a place costs beside its text
)

// A Find looks through the places of a text for the next one that holds what is searched
// for, going around. Commands go on with it: what it looks at must not change.
type Find struct {
	Count int              // of places
	Size  func(at int) int // of a place, in bytes
	Holds func(at int) bool
	At    int // the place it is at, -1 before the first
	Step  int // 1 or -1
	Seen  int // places it looked at
}

// Next looks through about so many bytes at most, all there are for 0. done tells
// whether it has come to its end: with the place found, or -1.
func (h *Find) Next(ctx context.Context, most int) (found int, done bool) {
	for cost := 0; h.Seen < h.Count && ctx.Err() == nil; h.Seen++ {
		at := ((h.At+h.Step)%h.Count + h.Count) % h.Count
		if cost += huntPlace + h.Size(at); most > 0 && cost > most {
			return -1, false
		}
		if h.At = at; h.Holds(at) {
			return at, true
		}
	}
	return -1, true
}

// A Finder has one hunt at a time.
type Finder struct {
	Now *Find // under way, or nil
}

// Begin hunts, and calls take with what was found, -1 for nothing: at once, or when the job
// that it returns the command of is done.
func (hr *Finder) Begin(h Host, hunt *Find, take func(found int)) tea.Cmd {
	hr.Now = nil
	if found, done := hunt.Next(context.Background(), huntAtOnce); done {
		h.Stop(hr.Key())
		take(found)
		return nil
	}
	hr.Now = hunt
	return h.Start(hr.Key(), func(ctx context.Context) func() tea.Cmd {
		found, _ := hunt.Next(ctx, 0)
		return func() tea.Cmd {
			if hr.Now == hunt {
				hr.Now = nil
				take(found)
			}
			return nil
		}
	})
}

func (hr *Finder) Key() job.Key { return job.Key{Kind: "search in a screen", Of: hr} }

// End drops what is under way: what it looks through has changed.
func (hr *Finder) End() { hr.Now = nil }

// Searching is said while a hunt goes on.
const Searching = "searching…"
