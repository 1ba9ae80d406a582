package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
)

// This file is the mouse: the wheel, clicks, and a drag along the timeline.

// A lastClick is the last click, and when it was.
type lastClick struct {
	click
	at       time.Time
	overlays int // that were open before it did anything
}

// mouse handles the wheel and clicks.
func (r *root) mouse(e tea.MouseEvent) tea.Cmd {
	if r.lay.small {
		return nil
	}
	switch {
	case e.Button == tea.MouseButtonLeft && e.Action == tea.MouseActionMotion:
		return r.drag(e.X, e.Y)
	case e.Action != tea.MouseActionPress:
	case e.Button == tea.MouseButtonWheelUp:
		return r.wheel(e.X, e.Y, -1)
	case e.Button == tea.MouseButtonWheelDown:
		return r.wheel(e.X, e.Y, 1)
	case e.Button == tea.MouseButtonLeft:
		return r.press(e.X, e.Y)
	}
	return nil
}

// stripAt and panelAt are the line of the timeline or of the list of stages at a line
// of the screen, -1 for none.
func (r *root) stripAt(y int) int { return lineOf(y-r.lay.chain+r.lay.panel+r.lay.strip, r.lay.strip) }

func (r *root) panelAt(y int) int { return lineOf(y-r.lay.chain+r.lay.panel, r.lay.panel) }

func lineOf(i, n int) int {
	if i < 0 || i >= n {
		return -1
	}
	return i
}

// wheel scrolls what is under the mouse by n notches.
func (r *root) wheel(x, y, n int) tea.Cmd {
	switch p := r.paneAt(x, y); {
	case len(r.overlays) > 0:
		r.top().wheel(n * wheelLines)
	case p == threadsPane:
		r.tree.scrollBy(n * wheelLines)
	case p != numPanes && r.noView() == "":
		r.msgs.scrollBy(n*wheelLines, r.msgs.rows)
	case r.stripAt(y) >= 0 && r.noView() == "":
		return r.goCall(r.call + n)
	case r.panelAt(y) >= 0:
		r.chain.list.Move(n)
	}
	return nil
}

// paneAt is the pane at a place of the screen, numPanes for none.
func (r *root) paneAt(x, y int) pane {
	for p, at := range r.lay.panes {
		if at.holds(x, y) {
			return pane(p)
		}
	}
	return numPanes
}

// drag goes along the timeline.
func (r *root) drag(x, y int) tea.Cmd {
	if len(r.overlays) == 0 && r.stripAt(y) >= 0 {
		return r.clickStrip(x)
	}
	return nil
}

// press handles a click. The second of a double one is not for what the first one
// opened or closed.
func (r *root) press(x, y int) tea.Cmd {
	was, now := r.clicked, r.now()
	r.clicked = lastClick{click: click{x: x, y: y}, at: now, overlays: len(r.overlays)}
	if was.x == x && was.y == y && now.Sub(was.at) < doubleClick && !was.double {
		if r.clicked.double = true; was.overlays != len(r.overlays) {
			return nil
		}
	}
	if y == r.h-1 {
		return r.clickHint(x)
	}
	if len(r.overlays) > 0 {
		return r.top().click(r, r.clicked.click)
	}
	if p := r.paneAt(x, y); p != numPanes {
		at := r.lay.panes[p]
		return r.clickPane(p, x-at.x-1, y-at.y-1)
	}
	switch {
	case y == 0:
		return r.clickHeader(x)
	case r.stripAt(y) >= 0:
		return r.clickStrip(x)
	case r.panelAt(y) >= 0:
		r.clickStage(r.panelAt(y))
	case y == r.lay.chain && r.chain.list == nil && r.noView() == "" && r.chain.edit == nil:
		r.editChain()
	}
	return nil
}

// clickHint does what the hint under a click in the last line says.
func (r *root) clickHint(x int) tea.Cmd {
	var l liner
	l.reset(r.th, r.w, noShade)
	if len(r.overlays) > 0 {
		r.overlayFoot(&l)
	} else {
		r.footer(&l)
	}
	s := r.screen()
	for _, h := range l.hinted {
		if x >= h.from && x < h.to {
			if a := s.hinted(h.hint, x-h.from); a != nil {
				r.note, r.noteText = "", export.Safe{}
				return r.act(a)
			}
		}
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

// clickStrip goes to the call under a click.
func (r *root) clickStrip(x int) tea.Cmd {
	c := r.laid()
	if c == nil || x < 1 {
		return nil
	}
	if i := (x - 1) / c.Wide; i < len(c.Columns) && c.Columns[i].Largest != r.call {
		return r.goCall(c.Columns[i].Largest)
	}
	return nil
}

// clickPane gives a pane the focus and selects a row of it. On its border a second
// click shows the pane alone.
func (r *root) clickPane(p pane, x, y int) tea.Cmd {
	if r.focus != p {
		r.focus = p
		r.arrange()
	}
	switch {
	case y < 0 && r.clicked.double:
		r.toggleZoom()
	case y < 0 || y >= r.msgs.rows:
	case p == threadsPane:
		return r.clickTree(y)
	case r.noView() == "":
		return r.clickMessage(side(p-historyPane), x, y)
	}
	return nil
}

// clickTree selects what is in a row of the threads; a second click there does nothing
// more than go to where a call was sent.
func (r *root) clickTree(y int) tea.Cmd {
	i := r.tree.top + y
	if i >= len(r.tree.nodes) {
		return nil
	}
	r.tree.cursor = i
	if kind := r.tree.nodes[i].kind; r.clicked.double && kind != callNode && kind != nextNode && kind != markerNode {
		return nil
	}
	cmd := r.openSelected()
	if r.clicked.double {
		r.toPane(historyPane)
	}
	return cmd
}

// clickMessage selects a line of the messages. On an arrow or a heading it folds; a
// second click opens the message.
func (r *root) clickMessage(s side, x, y int) tea.Cmd {
	m := r.msgs
	at := m.top
	for range y {
		next, ok := m.step(at, 1)
		if !ok {
			return nil
		}
		at = next
	}
	m.cursor = at
	l := m.cursorLine(s)
	switch {
	case at.line == 0 && x <= 2, l != nil && l.section > 0:
		m.fold(s, 0)
	case r.clicked.double, l != nil && l.more > 0:
		return r.openMessage()
	}
	return nil
}
