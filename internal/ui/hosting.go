package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
	"agentlens/internal/ui/job"
)

// This file is the inspector as the host of its screens.

func (r *root) gate() *export.Gate { return r.cfg.Gate }

// say notes words of lens, and after them text of a record.
func (r *root) say(w words, s ...export.Safe) {
	r.note, r.noteText = w, export.Safe{}
	if len(s) > 0 {
		r.noteText = s[0]
	}
}

// fail notes an error after what failed.
func (r *root) fail(what words, err error) {
	r.note, r.noteText = what, r.cfg.Gate.Line(oneLine(err.Error()))
}

func (r *root) start(k job.Key, work job.Work) tea.Cmd { return r.jobs.Start(k, work) }

func (r *root) stop(k job.Key) { r.jobs.Stop(k) }

// ask does what a screen cannot do by itself.
func (r *root) ask(i intent) tea.Cmd {
	switch i := i.(type) {
	case yankIntent:
		return r.yank(i.what, i.text)
	case copyMessageIntent:
		return r.yankMessage()
	case revealIntent:
		r.pop()
		r.toggleReveal()
		return i.again()
	case messageIntent:
		r.leaveSpot()
		r.toMessage(i.n)
	case callIntent:
		return r.goCall(i.n)
	case chainIntent:
		return r.showChain(i.chain)
	case detailIntent:
		return r.openAgain(i)
	case diffIntent:
		return r.openDiff(i)
	case diffRunIntent:
		return r.diffRun(i.run)
	case sidesIntent:
		r.diffSides = i.on
	}
	return nil
}
