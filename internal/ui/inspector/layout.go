package inspector

import "agentlens/internal/ui/screens/timeline"

// A pane is one of the panes that take the focus.
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
	leastThreads        = 22  // width of the threads pane
	sidesFrom           = 100 // history and view are next to each other by default
	twoPanesFrom        = 70  // history and view fit next to each other
	previewFrom         = 120 // the preview is at the right of one column
)

// Heights of the screen from which the bar of the context and the preview below the panes are shown,
// in lines.
const (
	contextFrom = 14
	dockedFrom  = 34
)

// A rect is a part of the screen, in cells. Width 0 means hidden.
type rect struct{ x, y, w, h int }

func (r rect) holds(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// A split is the user's choice of the message panes.
type split uint8

const (
	autoSplit split = iota // both panes if the prompt has text that the history lacks
	bothPanes
	historyAlone
	sentAlone
)

// wants are the inputs of the layout besides the size of the screen.
type wants struct {
	// threads is -1 to hide the threads pane, 1 to show it, or 0 to show it if there is enough space.
	threads int
	focus   pane
	zoom    bool // the focused pane has the full width
	split   split
	differs bool // the prompt of the call has text that the history lacks
	text    bool // the history was sent as text
	preview bool
	// bars and panel are the requested heights of the timeline and the list of stages, in lines. The
	// timeline gets fewer lines if it is large.
	bars, panel int
}

// A layout holds the positions of the parts of the screen.
type layout struct {
	small    bool // too small for anything but a notice
	top      int  // number of lines of the header and the timeline
	panes    [numPanes]rect
	preview  rect
	timeline int // number of lines of the timeline, below the header
	panel    int // number of lines of the list of stages, below the panes
	chain    int // line of the chain
}

// leastPane is the minimum height of the panes, in lines.
const leastPane = 8

// arrange returns the layout of a screen of w by h cells.
func arrange(w, h int, want wants) layout {
	l := layout{small: w < minWidth || h < minHeight, chain: h - 2, top: 1}
	if l.small {
		return l
	}
	if h >= contextFrom {
		l.top = 2
	}
	room := max(h-l.top-2-leastPane, 0)
	l.panel = min(want.panel, room)
	if room -= l.panel; want.bars <= room || room >= timeline.Least {
		l.timeline = min(want.bars, room)
	}
	l.top += l.timeline
	l.place(w, h-l.top-2-l.panel, h, want)
	return l
}

// place puts the panes on high lines of the screen.
func (l *layout) place(w, high, screen int, want wants) {
	at := 0
	put := func(p pane, width, high int) {
		l.panes[p] = rect{at, l.top, width, high}
		at += width
	}
	if want.zoom || w < twoPanesFrom {
		put(want.focus, w, high)
		return
	}
	both, alone := want.sides(w)
	if want.preview && (both || w < previewFrom) && screen >= dockedFrom && high >= 2*leastPane {
		docked := min(max(high*3/10, leastPane), high-leastPane)
		high -= docked
		l.preview = rect{0, l.top + high, w, docked}
	}
	if want.threads > 0 || want.threads == 0 && w >= threadsFrom {
		put(threadsPane, min(max((w-10)/5, leastThreads), 40), high)
	}
	left := w - at
	switch {
	case both && want.text:
		put(historyPane, left-left/2, high)
		put(sentPane, left/2, high)
	case both:
		put(historyPane, left-left*2/5, high)
		put(sentPane, left*2/5, high)
	case want.preview && w >= previewFrom:
		put(alone, left-left*2/5, high)
		l.preview = rect{at, l.top, left * 2 / 5, high}
	default:
		put(alone, left, high)
	}
}

// sides reports whether both message panes are shown, and which pane is shown otherwise.
func (want *wants) sides(w int) (both bool, alone pane) {
	switch want.split {
	case bothPanes:
		return true, historyPane
	case historyAlone:
		return false, historyPane
	case sentAlone:
		return false, sentPane
	}
	if want.focus == sentPane && w < sidesFrom {
		return false, sentPane
	}
	return want.differs && w >= sidesFrom, historyPane
}
