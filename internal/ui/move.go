package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
	"agentlens/internal/model"
)

// This file is what the actions do to the panes.

func (r *root) noThread() words {
	if r.threadNow() == nil {
		return "there is no thread to look at yet"
	}
	return ""
}

func (r *root) noView() words {
	switch {
	case r.msgs.shown == nil || r.msgs.count == 0:
		return "there is nothing to look at yet"
	case r.msgs.shown.thread != r.threadNow():
		return "this thread is on its way"
	}
	return ""
}

func (r *root) noSearch() words {
	if r.search == nil {
		return "nothing is searched for: / begins a search"
	}
	return ""
}

// threadNow is the thread that is shown, or nil.
func (r *root) threadNow() *model.Thread {
	if r.scene == nil || r.thread >= len(r.scene.run.Threads) {
		return nil
	}
	return r.scene.run.Threads[r.thread]
}

// callAt is the call that is shown, nil for the one after the record.
func (r *root) callAt() *model.Call {
	t := r.threadNow()
	if t == nil || r.call < 1 || r.call > len(t.Calls) {
		return nil
	}
	return &t.Calls[r.call-1]
}

func (r *root) modelOf() string {
	if c := r.callAt(); c != nil && c.Model != "" {
		return c.Model
	}
	if t := r.threadNow(); t != nil {
		for i := len(t.Calls) - 1; i >= 0; i-- {
			if t.Calls[i].Model != "" {
				return t.Calls[i].Model
			}
		}
	}
	return ""
}

// modelName is the model of the call, through the gate.
func (r *root) modelName() export.Safe { return r.scene.models[r.modelOf()] }

// window is the context window at the call that was chosen, in tokens; 0 where it is not
// known.
func (r *root) window() int64 {
	if t := r.threadNow(); t != nil {
		return r.windows(t)(r.call)
	}
	return 0
}

func (r *root) move(n int) {
	switch {
	case r.focus == threadsPane:
		r.tree.moveBy(n)
	case r.noView() == "":
		r.msgs.moveBy(n, r.msgs.rows)
	}
}

func (r *root) moveItem(d int) {
	switch {
	case r.focus == threadsPane:
		r.tree.moveBy(d)
	case r.noView() == "":
		r.msgs.moveItem(d, r.msgs.rows)
	}
}

// page moves by a page in direction d, or by a part of it.
func (r *root) page(d, part int) {
	n := max(r.msgs.rows/part-1/part, 1) * d
	switch {
	case r.focus == threadsPane:
		r.tree.moveBy(n)
	case r.noView() == "":
		r.msgs.pageBy(n, r.msgs.rows)
	}
}

func (r *root) end(d int) {
	switch {
	case r.focus == threadsPane:
		r.tree.moveBy(d * len(r.tree.nodes))
	case r.noView() != "":
	case d < 0:
		r.msgs.cursor = place{}
		r.msgs.reveal(r.msgs.rows)
	default:
		r.msgs.toEnd()
	}
}

// focusSide is the message pane that has the focus.
func (r *root) focusSide() side {
	if r.focus == sentPane {
		return sent
	}
	return history
}

func (r *root) fold(want int) {
	if r.focus == threadsPane {
		r.tree.fold()
	} else if r.noView() == "" {
		r.msgs.fold(r.focusSide(), want)
	}
}

// turn gives the focus to the next pane in direction d. Where one pane is shown
// at a time, the screen turns with it.
func (r *root) turn(d int) {
	p := r.focus
	for range numPanes {
		p = (p + pane(d) + numPanes) % numPanes
		if r.lay.panes[p].w > 0 || r.zoom || r.w < twoPanesFrom {
			r.toPane(p)
			return
		}
	}
}

func (r *root) toPane(p pane) {
	if p == threadsPane && r.lay.panes[p].w == 0 && !r.zoom && r.w >= twoPanesFrom {
		r.threads = 1
	}
	r.focus = p
	r.arrange()
}

func (r *root) toggleZoom() {
	r.zoom = !r.zoom
	r.arrange()
}

func (r *root) toggleThreads() {
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

func (r *root) toggleReveal() {
	r.reveal = !r.reveal
	r.store.clear()
	r.note = "secrets are masked again"
	if r.reveal {
		r.note = "secrets are shown on this screen; R masks them again"
	}
}

func (r *root) editChain() { r.chain.begin() }

func (r *root) noStepBack() words {
	if r.search == nil && !r.zoom && !r.cfg.Listed {
		return "nothing to go back from: q leaves the run, ctrl-o goes to where you were"
	}
	return ""
}

// stepBack ends what was begun last: a search, a pane shown alone, the look at a run
// that was chosen from a list.
func (r *root) stepBack() tea.Cmd {
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
