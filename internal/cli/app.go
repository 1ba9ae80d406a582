// Package cli is the command line: one file per command turns flags into options and options
// into a run of lens. [Run] reports errors and picks the exit code.
//
// It must never decide what a record means: that is the work of the packages it calls.
package cli

import (
	"context"
	"errors"
	"io"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/session"
)

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	s := session.New(in, out, errOut)
	root := newRoot(s)
	root.SetArgs(args)
	err := guarded(func() error { return root.ExecuteContext(ctx) })
	s.Close()
	if s.Out.Err != nil && (err == nil || errors.Is(err, failure.ErrFound)) {
		err = s.Out.Err
	}
	return report(errOut, err)
}
