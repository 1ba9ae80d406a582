package inspector

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
)

// This file lays out texts in jobs, because laying out a long text would delay keys.

func (r *inspector) sheet() kit.Sheet {
	return kit.Sheet{W: r.w, H: r.h, Sides: r.diffSides, Marks: !r.th.Coloured}
}

// layOut starts layout jobs for the screens whose lines do not fit the current width.
func (r *inspector) layOut() tea.Cmd {
	var cmds []tea.Cmd
	for _, o := range r.overlays {
		l, ok := o.(kit.Layouter)
		key := job.Key{Kind: "layout", Of: o}
		if !ok || r.jobs.Running(key) {
			continue
		}
		if work := l.LayoutJob(); work != nil {
			cmds = append(cmds, r.jobs.Start(key, func(context.Context) func() tea.Cmd {
				take := work()
				return func() tea.Cmd { take(); return nil }
			}))
		}
	}
	return tea.Batch(cmds...)
}
