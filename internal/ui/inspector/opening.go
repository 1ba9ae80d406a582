package inspector

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/diff"
)

// This file opens screens that have to be read or made first.

// Kinds of jobs of the inspector. A screen that is asked for and a chain that is looked for
// share one: what was asked for last is what comes.
var (
	viewJob    = job.Key{Kind: "view"}
	textsJob   = job.Key{Kind: "texts"}
	coloursJob = job.Key{Kind: "colours"}
	searchJob  = job.Key{Kind: "search"}
	countJob   = job.Key{Kind: "count"}
	askedJob   = job.Key{Kind: "asked"}
	copyJob    = job.Key{Kind: "copy"}
	writeJob   = job.Key{Kind: "write"}
)

// lookedAt is what a person looks at and does. What was asked for before it changed is not
// opened: they have gone on.
type lookedAt struct {
	thread string
	call   int
	chain  string
	reveal bool
	making bool // a chain is being made
	depth  int  // overlays that are open
}

func (r *inspector) lookedAt() lookedAt {
	at := lookedAt{call: r.Call, chain: r.chain.Wanted(), reveal: r.reveal, making: r.chain.Typing() || r.chain.Listing(), depth: len(r.overlays)}
	if t := r.Thread(); t != nil {
		at.thread = t.ID
	}
	return at
}

// opening makes a screen in a job and opens it. The error of f is shown after fault.
func (r *inspector) opening(note, fault kit.Words, f func(ctx context.Context) (kit.Screen, error)) tea.Cmd {
	r.note, r.waiting = note, note
	return r.jobs.Start(askedJob, func(ctx context.Context) func() tea.Cmd {
		o, err := f(ctx)
		return func() tea.Cmd {
			r.endNote(note)
			if err != nil {
				r.Fail(fault, err)
				return nil
			}
			r.Show(o)
			return nil
		}
	})
}

// endNote takes a note away if it is still shown.
func (r *inspector) endNote(note kit.Words) {
	if r.note == note {
		r.note = ""
	}
}

// Show opens a screen. A diff takes the place of the diff on top.
func (r *inspector) Show(o kit.Screen) {
	if v, ok := o.(*diff.Diff); ok {
		v.Sides = r.diffSides
		if n := len(r.overlays); n > 0 {
			if _, ok := r.overlays[n-1].(*diff.Diff); ok {
				r.overlays = r.overlays[:n-1]
			}
		}
	}
	r.Push(o)
}
