package job

import (
	"fmt"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"
)

// A Crash is a fault of lens itself, turned into an error so that the terminal can be
// restored before it is reported.
type Crash struct {
	Fault any // of the panic; it may quote a record
	Stack []byte
}

// NewCrash returns the error of a recovered panic, with the stack of the caller.
func NewCrash(fault any) error { return &Crash{fault, debug.Stack()} }

// Error says that lens failed.
func (c *Crash) Error() string {
	return fmt.Sprintf("lens failed: %v; the run itself is untouched", c.Fault)
}

// A Crashed is the message of a panic away from the frame.
type Crashed struct{ Err error }

// Safely returns a command that turns a panic into a message.
func Safely(f func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if p := recover(); p != nil {
				msg = Crashed{NewCrash(p)}
			}
		}()
		return f()
	}
}
