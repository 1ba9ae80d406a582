package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/programs"
	"agentlens/internal/cli/session"
	"agentlens/internal/curate/lint"
	"agentlens/internal/redact"
)

type lintFlags struct {
	strategy, file, call, thread, provider string
	json                                   bool
	programs                               programs.Options
}

func newLint(s *session.Session) *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use:   "lint <run>",
		Short: "What a provider would refuse in a history or a view of it",
		Long: `Hold the full history, or with --strategy a view of it, to the rules of the
providers: calls without results, results without calls, empty messages, and
what else a request is turned down for, each with the provider's own words.
Exit code 1 when something is found.

  lens lint run.jsonl
  lens lint run.jsonl --strategy 'sliding_window(20)' --call all --provider anthropic`,
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error { return runLint(cmd.Context(), s, args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.strategy, "strategy", "", "strategy chain; without it the full history")
	strategyFileFlag(cmd, &f.file)
	flags.StringVar(&f.call, "call", "", "call: 1…n, first, last, next (after the record; the default) or all")
	flags.StringVar(&f.thread, "thread", "", "thread, by id or unique prefix")
	flags.StringVar(&f.provider, "provider", "", "only the rules of: "+strings.Join(lint.Providers(), ", "))
	addCount(s, cmd)
	flags.BoolVar(&f.json, "json", false, "print lens.lint/1; one line per call with --call all")
	f.programs.Add(flags)
	return cmd
}

func runLint(ctx context.Context, s *session.Session, name string, f lintFlags) error {
	providers := lint.Providers()
	if f.provider != "" {
		if !slices.Contains(providers, f.provider) {
			return failure.Usagef("--provider %s: want %s", f.provider, strings.Join(providers, ", "))
		}
		providers = []string{f.provider}
	}
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	strategy, err := s.ChainText(f.strategy, f.file)
	if err != nil {
		return err
	}
	if strategy == "" {
		strategy = "passthrough"
	}
	r, err := s.Replay(ctx, g, name, session.ReplayOptions{Strategy: strategy, Call: f.call, Thread: f.thread, Programs: f.programs})
	if err != nil {
		return err
	}
	first, last := 1, r.Calls()+1
	if f.call != "all" {
		if first, err = session.CallNumber(f.call, r.Calls()); err != nil {
			return err
		}
		last = first
	}
	l := lint.New(r.Run, r.Thread, r.In.Window)
	total := 0
	for n := first; n <= last; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, err := l.CheckEach(r.View(n), providers)
		if err != nil {
			return err
		}
		if err := output.PrintFindings(s.Out, g, r, n, found, f.json); err != nil {
			return err
		}
		total += len(found)
	}
	if total > 0 {
		return failure.ErrFound
	}
	if !f.json {
		fmt.Fprintf(s.Out, "nothing to refuse: %s\n", strings.Join(providers, ", "))
	}
	return nil
}
