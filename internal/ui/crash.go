package ui

import (
	"fmt"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"
)

// A Crash is a fault of lens itself, turned into an error so that the terminal could be
// made whole before it is told.
type Crash struct {
	Fault any // what the panic said; it may quote a record
	Stack []byte
}

func crashError(fault any) error { return &Crash{fault, debug.Stack()} }

func (c *Crash) Error() string {
	return fmt.Sprintf("lens failed: %v; the run itself is untouched", c.Fault)
}

// crashMsg is a panic away from the frame.
type crashMsg struct{ err error }

func (msg crashMsg) arrive(r *root) tea.Cmd {
	r.crash = msg.err
	return tea.Quit
}
