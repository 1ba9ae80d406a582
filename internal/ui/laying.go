package ui

import (
	"context"

	"agentlens/internal/ui/job"

	tea "github.com/charmbracelet/bubbletea"
)

// This file has texts laid out in commands: a long one takes longer than a key may.

// layAtOnce is the size in bytes of the longest text that is laid out on the way of a
// frame.
const layAtOnce = 64 << 10

// A sheet is the screen that lines are laid out for.
type sheet struct {
	w, h  int
	sides bool // diffs stand in two columns
	marks bool // brackets stand for colours
}

func (r *root) sheet() sheet { return sheet{r.w, r.h, r.diffSides, !r.th.coloured} }

// laidOut is an overlay whose lines are laid out for a width of the screen.
type laidOut interface {
	overlay
	// unlaid returns what lays out what resize left: work does it, for a job, and take
	// takes the result over. It is nil where nothing is left.
	unlaid() (work func() (take func()))
}

// layOut lays an overlay out for a screen. It is for the command that makes it.
func layOut(o overlay, w, h int) {
	o.resize(w, h)
	if l, ok := o.(laidOut); ok {
		if work := l.unlaid(); work != nil {
			work()()
		}
	}
}

// layNow lays out, in commands, what is open and not laid out for this screen.
func (r *root) layNow() tea.Cmd {
	var cmds []tea.Cmd
	for _, o := range r.overlays {
		l, ok := o.(laidOut)
		key := job.Key{Kind: "layout", Of: o}
		if !ok || r.jobs.Running(key) {
			continue
		}
		if work := l.unlaid(); work != nil {
			cmds = append(cmds, r.jobs.Start(key, func(context.Context) func() tea.Cmd {
				take := work()
				return func() tea.Cmd { take(); return nil }
			}))
		}
	}
	return tea.Batch(cmds...)
}
