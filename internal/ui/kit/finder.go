package kit

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/job"
)

// Bounds of the search during a frame. A command continues longer searches.
const (
	scanAtOnce = 64 << 10 // bytes
	placeCost  = 16       // cost of a place in addition to its text, in bytes
)

// A Scan is an incremental search through numbered places, such as lines. It wraps around. A
// command may continue it, so the searched data must not change.
type Scan struct {
	Count int               // number of places
	Size  func(at int) int  // size of a place, in bytes
	Holds func(at int) bool // reports whether a place matches
	At    int               // current place, -1 before the first
	Step  int               // 1 or -1
	Seen  int               // places searched so far
}

// Next searches about most bytes, or everything if most is 0. done reports whether the
// search has ended; found is the place, or -1.
func (s *Scan) Next(ctx context.Context, most int) (found int, done bool) {
	for cost := 0; s.Seen < s.Count && ctx.Err() == nil; s.Seen++ {
		at := ((s.At+s.Step)%s.Count + s.Count) % s.Count
		if cost += placeCost + s.Size(at); most > 0 && cost > most {
			return -1, false
		}
		if s.At = at; s.Holds(at) {
			return at, true
		}
	}
	return -1, true
}

// A Finder runs one search at a time.
type Finder struct {
	Now *Scan // the running search, or nil
}

// Begin starts a search. It calls take with the place found, or -1: at once for a short
// search, else when the job of the returned command is done.
func (f *Finder) Begin(h Host, scan *Scan, take func(found int)) tea.Cmd {
	f.Now = nil
	if found, done := scan.Next(context.Background(), scanAtOnce); done {
		h.Stop(f.Key())
		take(found)
		return nil
	}
	f.Now = scan
	return h.Start(f.Key(), func(ctx context.Context) func() tea.Cmd {
		found, _ := scan.Next(ctx, 0)
		return func() tea.Cmd {
			if f.Now == scan {
				f.Now = nil
				take(found)
			}
			return nil
		}
	})
}

// Key returns the job key of the search.
func (f *Finder) Key() job.Key { return job.Key{Kind: searchFailed, Of: f} }

// End drops the running search. Callers use it when the searched data changes.
func (f *Finder) End() { f.Now = nil }

// Searching is the note while a search runs.
const Searching = "searching…"

// FirstMatch returns the first line that matches a needle, or -1. A nil needle matches nothing.
func FirstMatch(lines []Line, n *Needle) int {
	if n == nil {
		return -1
	}
	return slices.IndexFunc(lines, func(l Line) bool {
		from, _ := n.Find(l.Text.String()[l.From:l.To])
		return from >= 0
	})
}
