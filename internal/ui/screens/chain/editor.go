// Package chain is the chain editor under the panes: a chain typed as a line, or changed stage by
// stage in a list, and the chains that were tried before.
//
// An [Editor] says which chain is wanted. Its host forms the view of that chain and hands it to
// the functions that paint.
//
// The package must never run a program of a chain. A chain with programs is wanted only once
// enter takes it.
package chain

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/stages"
)

// Form asks for the view of the chain that is wanted.
type Form struct{}

// Arrange asks for a new layout, because the list of stages wants another height.
type Arrange struct{}

// Palette asks for the palette.
type Palette struct{}

// Intent marks Form as an intent.
func (Form) Intent() {}

// Intent marks Arrange as an intent.
func (Arrange) Intent() {}

// Intent marks Palette as an intent.
func (Palette) Intent() {}

// An Editor is the chain in force and what edits it.
type Editor struct {
	presets []curate.Preset // the user's own
	gated   func(s string) kit.Words
	text    string       // the chain in force, in normal form; "" is the record
	aside   bool         // the record is shown in place of the chain
	line    *line        // nil unless a chain is typed
	list    *stages.List // nil unless the chain is edited as a list
	tried   tried
}

// New returns an editor of a chain in normal form.
func New(presets []curate.Preset, gate *safe.Gate, chain string) *Editor {
	return &Editor{presets: presets, gated: kit.Gated(gate), text: chain}
}

// Text returns the chain in force, also while the record is shown in its place.
func (e *Editor) Text() string { return e.text }

// Set puts a chain in normal form in force. The empty chain is the record.
func (e *Editor) Set(chain string) { e.text, e.aside = chain, false }

// Wanted returns the chain whose view is to be shown. The empty chain is the record.
func (e *Editor) Wanted() string {
	switch {
	case e.line != nil:
		return e.line.good
	case e.list != nil:
		return e.list.Text()
	case e.aside:
		return ""
	}
	return e.text
}

// Tried returns the wanted chain, or the chain that the record is shown in place of.
func (e *Editor) Tried() string { return cmp.Or(e.Wanted(), e.text) }

// Typing reports whether a chain is being typed.
func (e *Editor) Typing() bool { return e.line != nil }

// Listing reports whether the chain is edited as a list.
func (e *Editor) Listing() bool { return e.list != nil }

// AddPreset adds a preset to those that chains may name.
func (e *Editor) AddPreset(p curate.Preset) {
	e.presets = append(e.presets, p)
	if e.line != nil {
		e.line.presets = e.presets
	}
}

// ToggleRecord shows the record in place of the chain, or the chain again.
func (e *Editor) ToggleRecord(h kit.Host) tea.Cmd {
	e.aside = !e.aside
	return h.Do(Form{})
}

// form asks for the view of the wanted chain if it is another one.
func form(h kit.Host, changed bool) tea.Cmd {
	if !changed {
		return nil
	}
	return h.Do(Form{})
}
