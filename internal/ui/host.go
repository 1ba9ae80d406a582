package ui

import (
	"agentlens/internal/export"
	"agentlens/internal/ui/job"

	tea "github.com/charmbracelet/bubbletea"
)

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

// diffIntent opens a diff of a call with another; the mode says of what.
type diffIntent struct {
	mode        diffMode
	call, other int
}

// diffRunIntent opens a diff with another run.
type diffRunIntent struct{ run otherRun }

// sidesIntent remembers whether diffs are shown in two columns.
type sidesIntent struct{ on bool }

func (yankIntent) intent()    {}
func (revealIntent) intent()  {}
func (messageIntent) intent() {}
func (callIntent) intent()    {}
func (diffIntent) intent()    {}
func (diffRunIntent) intent() {}
func (sidesIntent) intent()   {}
