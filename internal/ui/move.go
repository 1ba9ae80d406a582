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
	if r.msgs.shown == nil || r.msgs.count == 0 {
		return "there is nothing to look at yet"
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

func (r *root) window() int64 {
	if t := r.threadNow(); t != nil {
		return r.windows()(r.call)
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

// toEnd goes to the last line.
func (m *messages) toEnd() {
	m.cursor = m.clamped(place{m.count - 1, 1 << 30})
	m.reveal(m.rows)
}

// atEnd reports whether the cursor stands on the last item, or the last one that
// shows.
func (m *messages) atEnd() bool {
	if m.shown == nil || m.count == 0 {
		return false
	}
	_, below := m.step(place{m.cursor.item, max(m.height(m.cursor.item)-1, 0)}, 1)
	return !below
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

// mouse handles the wheel and clicks.
func (r *root) mouse(e tea.MouseEvent) tea.Cmd {
	if r.lay.small || e.Action != tea.MouseActionPress {
		return nil
	}
	wheel := 0
	switch e.Button {
	case tea.MouseButtonWheelUp:
		wheel = -3
	case tea.MouseButtonWheelDown:
		wheel = 3
	case tea.MouseButtonLeft:
	default:
		return nil
	}
	switch {
	case len(r.overlays) == 0:
	case wheel != 0:
		r.top().wheel(wheel)
		return nil
	default:
		return r.closeOverlay(r.top().click(r, e.X, e.Y))
	}
	if wheel == 0 && e.Y == 0 {
		return r.clickHeader(e.X)
	}
	for p, at := range r.lay.panes {
		if !at.holds(e.X, e.Y) {
			continue
		}
		if wheel != 0 {
			r.wheel(pane(p), wheel)
			return nil
		}
		return r.click(pane(p), e.X-at.x-1, e.Y-at.y-1)
	}
	if top := r.lay.chain - r.lay.panel - r.lay.strip; wheel == 0 && e.Y >= top && e.Y < top+r.lay.strip {
		return r.clickStrip(e.X)
	}
	if top := r.lay.chain - r.lay.panel; wheel == 0 && e.Y >= top && e.Y < r.lay.chain {
		r.clickStage(e.Y - top)
	}
	if wheel == 0 && e.Y == r.lay.chain && r.chain.list == nil && r.noView() == "" && r.chain.edit == nil {
		r.editChain()
	}
	return nil
}

func (r *root) clickHeader(x int) tea.Cmd {
	switch {
	case r.threadNow() == nil:
	case x >= r.spans.prev && x <= r.spans.prev+1:
		return r.goCall(r.call - 1)
	case x >= r.spans.next-1 && x <= r.spans.next:
		return r.goCall(r.call + 1)
	}
	return nil
}

func (r *root) wheel(p pane, n int) {
	switch {
	case p == threadsPane:
		r.tree.scrollBy(n)
	case r.noView() == "":
		r.msgs.scrollBy(n, r.msgs.rows)
	}
}

// click selects a row; on the arrow, or on a row that is selected already, it
// folds it or opens it.
func (r *root) click(p pane, x, y int) tea.Cmd {
	if r.focus != p {
		r.focus = p
		r.arrange()
	}
	if y < 0 || y >= r.msgs.rows {
		return nil
	}
	if p == threadsPane {
		if i := r.tree.top + y; i < len(r.tree.nodes) {
			r.tree.cursor = i
			return r.openSelected()
		}
		return nil
	}
	if r.noView() != "" {
		return nil
	}
	m := r.msgs
	at := m.top
	for range y {
		next, ok := m.step(at, 1)
		if !ok {
			return nil
		}
		at = next
	}
	again := m.cursor == at
	m.cursor = at
	l := m.cursorLine(side(p - historyPane))
	onArrow := at.line == 0 && x <= 2 || l != nil && l.section > 0
	if onArrow || again && at.line == 0 {
		m.fold(side(p-historyPane), 0)
	} else if l != nil && l.more > 0 {
		return r.openSelected()
	}
	return nil
}
