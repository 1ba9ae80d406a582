package session

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
)

// An output is where a command prints its answer. It remembers the first error of
// writing, so that an answer that did not arrive whole is never a success.
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

// OutTerminal reports whether standard output is a terminal.
func (s *Session) OutTerminal() bool { return isTerminal(s.Out.Writer) }

// OnTerminal reports whether a person sees what is printed and can answer.
func (s *Session) OnTerminal() bool { return s.OutTerminal() && s.Keyboard() != nil }

// Keyboard is where keys come from: standard input, or the terminal itself where
// that is a pipe or a file; nil where there is no terminal.
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

// Colours reports whether matches may be coloured.
func (s *Session) Colours() bool {
	return s.OutTerminal() && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
