package picker

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/pager"
)

// This file is the picker as the host of its help.

func (p *Picker) Gate() *safe.Gate { return p.cfg.Gate }

func (p *Picker) Say(w kit.Words, _ ...safe.Safe) { p.note = w }

func (p *Picker) Fail(what kit.Words, err error) {
	p.note = what + kit.Gated(p.cfg.Gate)(err.Error())
}

func (p *Picker) Push(o kit.Screen) { p.help, _ = o.(*pager.Pager) }

func (p *Picker) Pop() tea.Cmd {
	p.help = nil
	return nil
}

func (p *Picker) Start(k job.Key, work job.Work) tea.Cmd { return p.jobs.Start(k, work) }

func (p *Picker) Stop(k job.Key) { p.jobs.Stop(k) }

// Do does nothing: the help asks for nothing that the picker could do.
func (p *Picker) Do(kit.Intent) tea.Cmd { return nil }
