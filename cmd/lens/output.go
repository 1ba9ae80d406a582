package main

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

// onTerminal reports whether both ends are a terminal.
func (a *app) onTerminal() bool { return isTerminal(a.in) && a.outTerminal() }

// isTerminal reports whether a reader or a writer is a terminal.
func isTerminal(end any) bool {
	f, ok := end.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}
