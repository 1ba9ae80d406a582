package cli

import (
	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/session"
)

// noArgs rejects arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return failure.Usagef(noArgument, cmd.CommandPath(), args[0], cmd.CommandPath())
}

// oneRun accepts one argument, the name of a run.
func oneRun(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] != "" {
		return nil
	}
	what := "needs a run"
	if len(args) > 1 {
		what = "takes one run"
	}
	return failure.Usagef(needsRun, cmd.CommandPath(), what)
}

// runOrInput accepts the name of a run, or none if standard input holds one.
func runOrInput(s *session.Session) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 && s.Waiting(inputWait) {
			return nil
		}
		return oneRun(cmd, args)
	}
}
