// Package cli is the command line: one file per command turns flags into options and options
// into a run of lens. [Run] reports errors and picks the exit code.
//
// It must never decide what a record means: that is the work of the packages it calls.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"agentlens/internal/config"
	"agentlens/internal/curate/models"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
)

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	a := &app{in: in, out: &output{Writer: out}, err: errOut}
	root := a.root()
	root.SetArgs(args)
	err := guarded(func() error { return root.ExecuteContext(ctx) })
	a.close()
	if a.out.err != nil && (err == nil || errors.Is(err, errFound)) {
		err = a.out.err
	}
	return report(errOut, err)
}

// app is what the commands share.
type app struct {
	in     io.Reader
	out    *output
	err    io.Writer
	level  string
	pii    []string
	count  string // what the tokens of a thread are counted by
	window string // size of the model's context window
	opened []*trace.Source
	piped  *trace.Source // what came in on standard input; nil until it is asked for
	tty    *os.File      // see keyboard
	follow *follower     // of the inspector that follows a source, else nil

	own   *config.Settings // see settings
	table *models.Table    // see models
}

func (a *app) close() {
	for _, s := range a.opened {
		s.Close()
	}
	if a.follow != nil {
		a.follow.close()
	}
	if a.tty != nil {
		a.tty.Close()
	}
}

// gate makes the gate every text goes through.
func (a *app) gate(fallback redact.Level) (*safe.Gate, redact.Level, error) {
	level, err := a.redaction(fallback)
	if err != nil {
		return nil, 0, err
	}
	opts := redact.Options{Level: level}
	for _, kind := range a.pii {
		if kind != "email" {
			return nil, 0, usageError{fmt.Sprintf("--pii %s: only email is known", kind)}
		}
		opts.Email = true
	}
	g, err := safe.NewGate(opts)
	return g, level, err
}

// noArgs wants nothing beside flags.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError{fmt.Sprintf("%s takes no argument, and was given %q; see %s --help", cmd.CommandPath(), args[0], cmd.CommandPath())}
}

// oneRun wants the name of one run as the only argument.
func oneRun(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] != "" {
		return nil
	}
	what := "needs a run"
	if len(args) > 1 {
		what = "takes one run"
	}
	return usageError{fmt.Sprintf("%s %s: a path, an id, latest, demo or -", cmd.CommandPath(), what)}
}
