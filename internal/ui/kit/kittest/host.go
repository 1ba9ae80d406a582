// Package kittest is a host for the tests of screens. It keeps what a screen asked for
// and runs jobs at once.
package kittest

import (
	"context"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/uitest"
)

// A Host records what screens ask it for.
type Host struct {
	t       testing.TB
	gate    *safe.Gate
	jobs    *job.Jobs
	Note    string       // the last one
	Opened  []kit.Screen // by Push
	Closed  int          // calls of Pop
	Intents []kit.Intent // in the order of Do
}

// New returns a host whose gate is at the default level.
func New(t testing.TB) *Host {
	return &Host{t: t, gate: uitest.Gate(t), jobs: job.New(context.Background())}
}

// Gate returns the gate.
func (h *Host) Gate() *safe.Gate { return h.gate }

// Say keeps a note.
func (h *Host) Say(w kit.Words, s ...safe.Safe) {
	h.Note = string(w)
	for _, more := range s {
		h.Note += more.String()
	}
}

// Fail keeps a note of an error.
func (h *Host) Fail(what kit.Words, err error) { h.Note = string(what) + err.Error() }

// Push keeps a screen.
func (h *Host) Push(s kit.Screen) { h.Opened = append(h.Opened, s) }

// Pop counts.
func (h *Host) Pop() tea.Cmd {
	h.Closed++
	return nil
}

// Start runs a job and takes its answer over.
func (h *Host) Start(k job.Key, work job.Work) tea.Cmd {
	switch msg := h.jobs.Start(k, work)().(type) {
	case job.Answer:
		return h.jobs.Take(msg)
	case job.Crashed:
		h.t.Fatal(msg.Err)
	}
	return nil
}

// Stop stops a job.
func (h *Host) Stop(k job.Key) { h.jobs.Stop(k) }

// Do keeps an intent.
func (h *Host) Do(i kit.Intent) tea.Cmd {
	h.Intents = append(h.Intents, i)
	return nil
}

// Press presses keys on a screen, each named as in the tables of keys. It fails where a
// key does nothing there.
func (h *Host) Press(s kit.Screen, keys ...string) {
	h.t.Helper()
	for _, name := range keys {
		k := uitest.Key(name)
		on := s.Keys(h)
		switch a := on.Find(k.String()); {
		case a != nil && a.Why() != "":
			h.Note = string(a.Why())
		case a != nil:
			a.Run()
		case on.Typed != nil:
			on.Typed(k)
		default:
			h.t.Fatalf("%s does nothing here", name)
		}
	}
}

// Draw returns a screen of a size as plain text, with its last line.
func (h *Host) Draw(s kit.Screen, width, height int) string {
	th := kit.NewTheme(false, kit.NoColour)
	s.Resize(width, height)
	out := ""
	for _, l := range s.Draw(th, kit.NewColours(th), width, height) {
		out += l + "\n"
	}
	var l kit.LineWriter
	l.Reset(th, width, kit.NoShade)
	s.Foot(&l, s.Keys(h))
	return uitest.Plain(out + l.String())
}
