package kit

// LayAtOnce is the size in bytes of the longest text that is laid out on the way of a
// frame.
const LayAtOnce = 64 << 10

// A Sheet is the screen that lines are laid out for.
type Sheet struct {
	W, H  int
	Sides bool // diffs stand in two columns
	Marks bool // brackets stand for colours
}

// LaidOut is an overlay whose lines are laid out for a width of the screen.
type LaidOut interface {
	Screen
	// Unlaid returns what lays out what resize left: work does it, for a job, and take
	// takes the result over. It is nil where nothing is left.
	Unlaid() (work func() (take func()))
}

// LayOut lays an overlay out for a screen. It is for the command that makes it.
func LayOut(o Screen, w, h int) {
	o.Resize(w, h)
	if l, ok := o.(LaidOut); ok {
		if work := l.Unlaid(); work != nil {
			work()()
		}
	}
}
