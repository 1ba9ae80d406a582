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
	"agentlens/internal/curate/conform"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/score"
	"agentlens/internal/model"
	"agentlens/internal/redact"
)

type lintFlags struct {
	strategy, file, call, thread, provider string
	json, spec                             bool
	programs                               programs.Options
}

func newLint(s *session.Session) *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use: "lint <run>",
		Args: func(cmd *cobra.Command, args []string) error {
			if f.spec {
				return nil
			}
			return oneRun(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.spec {
				return lintSpec(cmd.Context(), s, args, f)
			}
			return runLint(cmd.Context(), s, args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.strategy, "strategy", "", "")
	strategyFileFlag(s, cmd, &f.file)
	flags.StringVar(&f.call, "call", "", "")
	flags.StringVar(&f.thread, "thread", "", "")
	flags.StringVar(&f.provider, "provider", "", "")
	addCount(s, cmd)
	flags.BoolVar(&f.spec, "spec", false, "")
	flags.BoolVar(&f.json, "json", false, "")
	f.programs.Add(flags)
	return cmd
}

// lintSpec checks every run of the sources against its specifications.
func lintSpec(ctx context.Context, s *session.Session, args []string, f lintFlags) error {
	if f.strategy != "" || f.file != "" || f.call != "" || f.thread != "" || f.provider != "" {
		return failure.Usage(specOfRecord)
	}
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	checked, failed := 0, 0
	_, unread, err := eachRun(ctx, s, g, args, filterFlags{}, func(run *model.Run, _ bool) error {
		report, err := conform.Check(ctx, run)
		if err != nil {
			return err
		}
		checked, failed = checked+1, failed+report.Failed()
		if !f.json && checked > 1 {
			fmt.Fprintln(s.Out)
		}
		return output.PrintConformance(s.Out, g, report, f.json)
	})
	switch {
	case err != nil:
		return err
	case unread != nil:
		failure.Say(s.Err, unread.Error())
		return failure.ErrUnread
	case checked == 0:
		return nothing(0, "check")
	case failed > 0:
		return failure.ErrFound
	}
	return nil
}

func runLint(ctx context.Context, s *session.Session, name string, f lintFlags) error {
	providers := lint.Providers()
	if f.provider != "" {
		if !slices.Contains(providers, f.provider) {
			return failure.Usagef(unknownProvider, f.provider, strings.Join(providers, ", "))
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
	faults := func(int) bool { return true }
	if f.call == "all" {
		if faults, err = callsWithFaults(ctx, l, r, providers); err != nil {
			return err
		}
	}
	total := 0
	for n := first; n <= last; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var found []model.Problem
		if faults(n) {
			found, err = l.CheckEach(r.View(n), providers)
		}
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

// callsWithFaults returns a function that reports whether a provider would refuse the view of a call.
func callsWithFaults(ctx context.Context, l *lint.Linter, r *session.Replay, providers []string) (func(call int) bool, error) {
	list, err := score.Faults(ctx, l, r.Replayed, providers)
	if err != nil {
		return nil, err
	}
	return func(call int) bool { return list[call-1].Problems != [4]int32{} }, nil
}
