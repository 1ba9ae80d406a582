package inspector

// pane is one of the three panes.
type pane int

const (
	threadsPane pane = iota
	historyPane
	sentPane
	numPanes
)

// The smallest screen that shows anything, and the widths at which the layout
// changes, in cells.
const (
	minWidth, minHeight = 40, 9
	threadsFrom         = 100 // the threads pane is shown by itself
	leastThreads        = 24  // cells of the threads pane: a call and how many messages it was given
	twoPanesFrom        = 70  // history and view stand side by side
)

// rect is a part of the screen, in cells; no width means not shown.
type rect struct{ x, y, w, h int }

func (r rect) Holds(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// layout is where everything is.
type layout struct {
	small    bool // too small for anything but a sentence
	panes    [numPanes]rect
	timeline int // lines of the timeline, under the panes
	panel    int // lines of the list of stages, under that
	chain    int // line of the chain
}

// leastPane is how many lines the panes keep at least, whatever else wants room.
const leastPane = 8

// arrange computes the layout of a screen of w by h cells. threads is -1 to
// hide the threads pane, 1 to show it, 0 to show it where there is room; zoom
// gives the focused pane all of it. bars and panel are the lines that the timeline
// and the list of stages want.
func arrange(w, h, threads int, focus pane, zoom bool, bars, panel int) layout {
	l := layout{small: w < minWidth || h < minHeight, chain: h - 2}
	if l.small {
		return l
	}
	room := max(h-3-leastPane, 0)
	l.panel = min(panel, room)
	if bars <= room-l.panel {
		l.timeline = bars
	}
	at, high := 0, h-3-l.timeline-l.panel
	put := func(p pane, width int) {
		l.panes[p] = rect{at, 1, width, high}
		at += width
	}
	switch {
	case zoom, w < twoPanesFrom:
		put(focus, w)
		return l
	case threads > 0, threads == 0 && w >= threadsFrom:
		put(threadsPane, min(max((w-10)/5, leastThreads), 40))
	}
	left := w - at
	put(historyPane, left-left/2)
	put(sentPane, left/2)
	return l
}
