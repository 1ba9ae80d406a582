package session

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
)

// An Output is the standard output of a command. It keeps the first write error, so that a command with truncated
// output never succeeds.
type output struct {
	io.Writer
	Err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.Err == nil {
		o.Err = err
	}
	return n, err
}

// OutTerminal reports whether standard output is a terminal. The output of --jq and --template is none.
func (s *Session) OutTerminal() bool { return s.query == nil && isTerminal(s.screen) }

// OnTerminal reports whether the session is interactive: standard output is a terminal, and there is a keyboard.
func (s *Session) OnTerminal() bool { return s.OutTerminal() && s.Keyboard() != nil }

// Keyboard returns the file that keys are read from: standard input, otherwise the controlling terminal. It
// returns nil if neither is a terminal.
func (s *Session) Keyboard() *os.File {
	if f, ok := s.In.(*os.File); ok && isTerminal(f) {
		return f
	}
	if s.tty == nil {
		if f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
			s.tty = f
		}
	}
	return s.tty
}

// isTerminal reports whether a reader or a writer is a terminal.
func isTerminal(end any) bool {
	f, ok := end.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
