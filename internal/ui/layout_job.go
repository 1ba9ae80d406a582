package ui

// layAtOnce is the size in bytes of the longest text that is laid out on the way of a
// frame.
const layAtOnce = 64 << 10

// A sheet is the screen that lines are laid out for.
type sheet struct {
	w, h  int
	sides bool // diffs stand in two columns
	marks bool // brackets stand for colours
}

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
