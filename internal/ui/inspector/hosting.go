package inspector

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/chain"
	"agentlens/internal/ui/screens/compare"
	"agentlens/internal/ui/screens/diff"
	"agentlens/internal/ui/screens/message"
	"agentlens/internal/ui/screens/timeline"
)

// This file is the inspector as the host of its screens.

func (r *inspector) Gate() *safe.Gate { return r.cfg.Gate }

// Say notes words of lens, and after them text of a record.
func (r *inspector) Say(w kit.Words, s ...safe.Safe) {
	r.note, r.noteText = w, safe.Safe{}
	if len(s) > 0 {
		r.noteText = s[0]
	}
}

// Fail notes an error after what failed.
func (r *inspector) Fail(what kit.Words, err error) {
	r.note, r.noteText = what, r.cfg.Gate.Line(kit.OneLine(err.Error()))
}

func (r *inspector) Start(k job.Key, work job.Work) tea.Cmd { return r.jobs.Start(k, work) }

func (r *inspector) Stop(k job.Key) { r.jobs.Stop(k) }

// Do does what a screen cannot do by itself.
func (r *inspector) Do(i kit.Intent) tea.Cmd {
	switch i := i.(type) {
	case kit.CopyText:
		return r.yank(i.What, i.Text)
	case message.Copy:
		return r.yankMessage()
	case kit.Reveal:
		r.Pop()
		r.toggleReveal()
		return i.Again()
	case kit.GoMessage:
		r.leaveSpot()
		r.toMessage(i.N)
	case kit.GoCall:
		return r.goCall(i.N)
	case chain.Form:
		return r.Form()
	case chain.Arrange:
		r.arrange()
	case chain.Palette:
		r.openPalette()
	case compare.Try:
		return r.showChain(i.Chain)
	case message.Open:
		return r.openAgain(i)
	case diff.Open:
		return r.openDiff(i)
	case diff.OpenRun:
		return r.diffRun(i.Run)
	case timeline.NextCall:
		return r.roundCalls(i.By, i.Is)
	case timeline.Half:
		return r.toHalf()
	case diff.Sides:
		r.diffSides = i.On
	}
	return nil
}
