package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
	"agentlens/internal/ui/job"
)

// This file is the picker as the host of its help.

func (p *Picker) gate() *export.Gate { return p.cfg.Gate }

func (p *Picker) say(w words, _ ...export.Safe) { p.note = w }

func (p *Picker) fail(what words, err error) {
	p.note = what + gatedBy(p.cfg.Gate)(err.Error())
}

func (p *Picker) push(o overlay) { p.help, _ = o.(*pager) }

func (p *Picker) pop() tea.Cmd {
	p.help = nil
	return nil
}

func (p *Picker) start(k job.Key, work job.Work) tea.Cmd { return p.jobs.Start(k, work) }

func (p *Picker) stop(k job.Key) { p.jobs.Stop(k) }

// ask does nothing: the help asks for nothing that the picker could do.
func (p *Picker) ask(intent) tea.Cmd { return nil }
