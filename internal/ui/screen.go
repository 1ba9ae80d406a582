package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
	"agentlens/internal/ui/job"
)

// An overlay covers the panes, or the lower part of them, and takes all keys.
type overlay interface {
	// keyTables returns what keys go to now.
	keyTables(h host) keyScreen
	click(h host, at click) tea.Cmd
	wheel(n int)
	resize(w, h int)
	// render paints lines of w cells for a screen of h lines, all but the last at most:
	// with fewer, what is behind stays in sight above.
	render(th *theme, c *colours, w, h int) []string
	// foot paints the last line, with the hints of its screen.
	foot(l *liner, s keyScreen)
	// uncoloured lists what has to be coloured for what it shows.
	uncoloured(c *colours) []colouring
}

// A click is where a button went down; double says that it is the second one there.
type click struct {
	x, y   int
	double bool
}

// closeThen closes the screen on top and does then, if that is not nil.
func closeThen(h host, then func() tea.Cmd) tea.Cmd {
	cmd := h.pop()
	if then == nil {
		return cmd
	}
	return tea.Batch(cmd, then())
}

// revealRow is the key that shows secrets or masks them, and opens what is on top again;
// again is nil where nothing would change.
func revealRow(h host, again func() tea.Cmd) action {
	a := action{keys: []string{"R"}, hint: hint{"R", "reveal or mask"}, help: "reveal secrets, or mask them again"}
	a.disabled = func() words {
		if again == nil {
			return "nothing that could be revealed is shown here"
		}
		return ""
	}
	a.run = func() tea.Cmd { return h.ask(revealIntent{again}) }
	return a
}

// A host is the program that shows a screen, as far as screens know it.
type host interface {
	gate() *export.Gate
	// say shows words of lens, and after them text of a record, until the next key.
	say(w words, s ...export.Safe)
	// fail shows an error after what failed.
	fail(what words, err error)
	// push opens a screen on top.
	push(s overlay)
	// pop closes the screen on top. The command is nil.
	pop() tea.Cmd
	// start and stop run jobs; see [job.Jobs].
	start(k job.Key, work job.Work) tea.Cmd
	stop(k job.Key)
	// ask hands over what a screen cannot do by itself.
	ask(i intent) tea.Cmd
}

// An intent is something that a person asked a screen for and that its host does.
type intent interface{ intent() }

// yankIntent copies a text, which is named what.
type yankIntent struct {
	what words
	text func() (export.Safe, error)
}

// revealIntent closes the screen, shows or masks secrets, and opens the screen again.
type revealIntent struct{ again func() tea.Cmd }

// messageIntent goes to a message of the thread, once the screen is closed.
type messageIntent struct{ n int }

// callIntent goes to a call.
type callIntent struct{ n int }

func (yankIntent) intent() {}

func (revealIntent) intent() {}

func (messageIntent) intent() {}

func (callIntent) intent() {}

// doubleClick is how long a second click on the same place may take to make a double
// one, as desktops have it.
const doubleClick = 400 * time.Millisecond

// wheelLines is how many lines a notch of the wheel scrolls.
const wheelLines = 3
