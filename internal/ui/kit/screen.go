package kit

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/job"
)

// An Screen covers the panes, or the lower part of them, and takes all keys.
type Screen interface {
	// Keys returns what keys go to now.
	Keys(h Host) KeyScreen
	Click(h Host, at Click) tea.Cmd
	Wheel(n int)
	Resize(w, h int)
	// Draw paints lines of w cells for a screen of h lines, all but the last at most:
	// with fewer, what is behind stays in sight above.
	Draw(th *Theme, c *Colours, w, h int) []string
	// Foot paints the last line, with the hints of its screen.
	Foot(l *LineWriter, s KeyScreen)
	// Uncoloured lists what has to be coloured for what it shows.
	Uncoloured(c *Colours) []Colouring
}

// A Click is where a button went down; double says that it is the second one there.
type Click struct {
	X, Y   int
	Double bool
}

// CloseThen closes the screen on top and does then, if that is not nil.
func CloseThen(h Host, then func() tea.Cmd) tea.Cmd {
	cmd := h.Pop()
	if then == nil {
		return cmd
	}
	return tea.Batch(cmd, then())
}

// RevealRow is the key that shows secrets or masks them, and opens what is on top again;
// again is nil where nothing would change.
func RevealRow(h Host, again func() tea.Cmd) Action {
	a := Action{Keys: []string{"R"}, Hint: Hint{"R", "reveal or mask"}, Help: "reveal secrets, or mask them again"}
	a.Disabled = func() Words {
		if again == nil {
			return "nothing that could be revealed is shown here"
		}
		return ""
	}
	a.Run = func() tea.Cmd { return h.Do(Reveal{again}) }
	return a
}

// A Host is the program that shows a screen, as far as screens know it.
type Host interface {
	Gate() *safe.Gate
	// Say shows words of lens, and after them text of a record, until the next key.
	Say(w Words, s ...safe.Safe)
	// Fail shows an error after what failed.
	Fail(what Words, err error)
	// Push opens a screen on top.
	Push(s Screen)
	// Pop closes the screen on top. The command is nil.
	Pop() tea.Cmd
	// Start and stop run jobs; see [job.Jobs].
	Start(k job.Key, work job.Work) tea.Cmd
	Stop(k job.Key)
	// Do hands over what a screen cannot do by itself.
	Do(i Intent) tea.Cmd
}

// An Intent is something that a person asked a screen for and that its host does.
type Intent interface{ Intent() }

// CopyText copies a text, which is named what.
type CopyText struct {
	What Words
	Text func() (safe.Safe, error)
}

// Reveal closes the screen, shows or masks secrets, and opens the screen again.
type Reveal struct{ Again func() tea.Cmd }

// GoMessage goes to a message of the thread, once the screen is closed.
type GoMessage struct{ N int }

// GoCall goes to a call.
type GoCall struct{ N int }

func (CopyText) Intent() {}

func (Reveal) Intent() {}

func (GoMessage) Intent() {}

func (GoCall) Intent() {}

// DoubleClick is how long a second click on the same place may take to make a double
// one, as desktops have it.
const DoubleClick = 400 * time.Millisecond

// WheelLines is how many lines a notch of the wheel scrolls.
const WheelLines = 3
