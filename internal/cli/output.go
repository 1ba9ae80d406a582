package cli

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"
)

// An output is where a command prints its answer. It remembers the first error of
// writing, so that an answer that did not arrive whole is never a success.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// outTerminal reports whether standard output is a terminal.
func (a *app) outTerminal() bool { return isTerminal(a.out.Writer) }

// onTerminal reports whether a person sees what is printed and can answer.
func (a *app) onTerminal() bool { return a.outTerminal() && a.keyboard() != nil }

// keyboard is where keys come from: standard input, or the terminal itself where
// that is a pipe or a file; nil where there is no terminal.
func (a *app) keyboard() *os.File {
	if f, ok := a.in.(*os.File); ok && isTerminal(f) {
		return f
	}
	if a.tty == nil {
		if f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
			a.tty = f
		}
	}
	return a.tty
}

// isTerminal reports whether a reader or a writer is a terminal.
func isTerminal(end any) bool {
	f, ok := end.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
