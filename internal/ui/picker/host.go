package picker

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/help"
)

// The picker is the host of its help screen.

// Gate returns the gate.
func (p *Picker) Gate() *safe.Gate { return p.cfg.Gate }

// Say shows a note.
func (p *Picker) Say(w kit.Words, _ ...safe.Safe) { p.note = w }

// Fail shows an error.
func (p *Picker) Fail(what kit.Words, err error) {
	p.note = what + kit.Gated(p.cfg.Gate)(err.Error())
}

// Push opens the help.
func (p *Picker) Push(o kit.Screen) { p.help, _ = o.(*help.Help) }

// Pop closes the help.
func (p *Picker) Pop() tea.Cmd {
	p.help = nil
	return nil
}

// Start runs a job.
func (p *Picker) Start(k job.Key, work job.Work) tea.Cmd { return p.jobs.Start(k, work) }

// StartAlone starts a job that takes much memory.
func (p *Picker) StartAlone(k job.Key, work job.Work) tea.Cmd { return p.jobs.StartAlone(k, work) }

// Stop cancels a job.
func (p *Picker) Stop(k job.Key) { p.jobs.Stop(k) }

// Do ignores intents: the help has none that apply to the picker.
func (p *Picker) Do(kit.Intent) tea.Cmd { return nil }
