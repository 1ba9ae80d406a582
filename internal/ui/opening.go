package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// This file opens screens that have to be read or made first.

// A moment is what a person saw and had asked for when they asked for a screen. What
// comes once it has passed is not opened: they have gone on.
type moment struct {
	nth    int // of all that was asked to be opened
	thread string
	call   int
	chain  string
	reveal bool
	making bool // a chain is being made
	depth  int  // overlays that are open
}

func (r *root) moment() moment {
	m := moment{nth: r.asked, call: r.call, chain: r.chain.wanted(), reveal: r.reveal, making: r.chain.edit != nil || r.chain.list != nil, depth: len(r.overlays)}
	if t := r.threadNow(); t != nil {
		m.thread = t.ID
	}
	return m
}

// opening makes a screen in a command and opens it. What f cannot make is told after
// fault.
func (r *root) opening(note, fault words, f func() (overlay, error)) tea.Cmd {
	r.asked++
	r.note = note
	at := r.moment()
	return safely(func() tea.Msg {
		o, err := f()
		return openMsg{at, note, fault, o, err}
	})
}

// openMsg is a screen that is ready to be opened.
type openMsg struct {
	at          moment
	note, fault words
	overlay     overlay
	err         error
}

func (msg openMsg) arrive(r *root) tea.Cmd {
	if r.note == msg.note {
		r.note = ""
	}
	if msg.at != r.moment() {
		return nil
	}
	if msg.err != nil {
		r.note, r.noteText = msg.fault, r.cfg.Gate.Line(oneLine(msg.err.Error()))
		return nil
	}
	if v, ok := msg.overlay.(*diffView); ok {
		v.sides = r.diffSides
		if n := len(r.overlays); n > 0 {
			if _, ok := r.overlays[n-1].(*diffView); ok { // this one takes its place
				r.overlays = r.overlays[:n-1]
			}
		}
	}
	r.push(msg.overlay)
	return nil
}
