package inspector

// A pane is one of the three panes.
type pane int

const (
	threadsPane pane = iota
	historyPane
	sentPane
	numPanes
)

// Minimum size of a usable screen, and the widths at which the layout changes, in cells.
const (
	minWidth, minHeight = 40, 9
	threadsFrom         = 100 // the threads pane is shown by default
	leastThreads        = 24  // width of the threads pane: a call and its number of messages
	twoPanesFrom        = 70  // history and view are next to each other
)

// A rect is a part of the screen, in cells. Width 0 means hidden.
type rect struct{ x, y, w, h int }

func (r rect) holds(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// A layout holds the positions of the parts of the screen.
type layout struct {
	small    bool // too small for anything but a notice
	panes    [numPanes]rect
	timeline int // number of lines of the timeline, below the panes
	panel    int // number of lines of the list of stages, below the timeline
	chain    int // line of the chain
}

// leastPane is the minimum height of the panes, in lines.
const leastPane = 8

// arrange returns the layout of a screen of w by h cells. threads is -1 to hide the threads pane, 1
// to show it, or 0 to show it if there is enough space. zoom gives the focused pane the full width.
// bars and panel are the requested heights of the timeline and the list of stages, in lines.
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
