package inspector

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/panes"
)

// This file is what the actions do to the panes.

func (r *inspector) noSearch() kit.Words {
	if r.search == nil {
		return "nothing is searched for: / begins a search"
	}
	return ""
}

// modelName is the model of the call, through the gate.
func (r *inspector) modelName() safe.Safe { return r.Labels.Models[r.Model()] }

func (r *inspector) Move(n int) {
	switch {
	case r.focus == threadsPane:
		r.tree.MoveBy(n)
	case r.NoView() == "":
		r.msgs.MoveBy(n, r.msgs.Rows)
	}
}

func (r *inspector) MoveItem(d int) {
	switch {
	case r.focus == threadsPane:
		r.tree.MoveBy(d)
	case r.NoView() == "":
		r.msgs.MoveItem(d, r.msgs.Rows)
	}
}

// page moves by a page in direction d, or by a part of it.
func (r *inspector) page(d, part int) {
	n := max(r.msgs.Rows/part-1/part, 1) * d
	switch {
	case r.focus == threadsPane:
		r.tree.MoveBy(n)
	case r.NoView() == "":
		r.msgs.PageBy(n, r.msgs.Rows)
	}
}

func (r *inspector) End(d int) {
	switch {
	case r.focus == threadsPane:
		r.tree.MoveBy(d * len(r.tree.Nodes))
	case r.NoView() != "":
	case d < 0:
		r.msgs.Cursor = kit.Position{}
		r.msgs.Reveal(r.msgs.Rows)
	default:
		r.msgs.ToEnd()
	}
}

// focusSide is the message pane that has the focus.
func (r *inspector) focusSide() panes.Side {
	if r.focus == sentPane {
		return panes.Sent
	}
	return panes.History
}

func (r *inspector) Fold(want int) {
	if r.focus == threadsPane {
		r.tree.Fold()
	} else if r.NoView() == "" {
		r.msgs.Fold(r.focusSide(), want)
	}
}

// turn gives the focus to the next pane in direction d. Where one pane is shown
// at a time, the screen turns with it.
func (r *inspector) turn(d int) {
	p := r.focus
	for range numPanes {
		p = (p + pane(d) + numPanes) % numPanes
		if r.lay.panes[p].w > 0 || r.zoom || r.w < twoPanesFrom {
			r.toPane(p)
			return
		}
	}
}

func (r *inspector) toPane(p pane) {
	if p == threadsPane && r.lay.panes[p].w == 0 && !r.zoom && r.w >= twoPanesFrom {
		r.threads = 1
	}
	r.focus = p
	r.arrange()
}

func (r *inspector) toggleZoom() {
	r.zoom = !r.zoom
	r.arrange()
}

func (r *inspector) toggleThreads() {
	switch {
	case r.lay.panes[threadsPane].w > 0:
		r.threads = -1
		if r.focus == threadsPane {
			r.focus = historyPane
		}
	default:
		r.threads, r.zoom = 1, false
		if r.w < twoPanesFrom {
			r.focus = threadsPane
		}
	}
	r.arrange()
}

func (r *inspector) toggleReveal() {
	r.reveal = !r.reveal
	r.store.Clear()
	r.note = "secrets are masked again"
	if r.reveal {
		r.note = "secrets are shown on this screen; R masks them again"
	}
}

func (r *inspector) noStepBack() kit.Words {
	if r.search == nil && !r.zoom && !r.cfg.Listed {
		return "nothing to go back from: q leaves the run, ctrl-o goes to where you were"
	}
	return ""
}

// stepBack ends what was begun last: a search, a pane shown alone, the look at a run
// that was chosen from a list.
func (r *inspector) stepBack() tea.Cmd {
	switch {
	case r.search != nil:
		r.clearSearch()
	case r.zoom:
		r.toggleZoom()
	default:
		return tea.Quit
	}
	return nil
}
