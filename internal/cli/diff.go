package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/session"
	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/redact"
)

func newDiff(s *session.Session) *cobra.Command {
	var (
		f     curateFlags
		calls []string
	)
	cmd := &cobra.Command{
		Use:   "diff <run> [<run>]",
		Short: "Full history against what the provider saw, call against call, or run against run; exit 1 when they differ",
		Long: `Print what a view dropped, changed and added, against the full history: the view
of --strategy, or the recorded one without it. With two calls, what the second was
sent is held against what the first was. With two runs, print which messages
of the second are not as in the first: by role, text and calls, whatever their ids.

  lens diff run.jsonl --strategy 'sliding_window(20)' --call 12
  lens diff run.jsonl --call 5 --call 30
  lens diff monday.jsonl tuesday.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && args[0] != "" && args[1] != "" {
				return nil
			}
			if len(args) > 2 {
				return failure.Usage(cmd.CommandPath() + " takes one run, or two to hold against each other")
			}
			return oneRun(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(calls) > 0 {
				f.Call = calls[0]
			}
			if len(args) == 2 {
				return runDiffRuns(cmd.Context(), s, args, f)
			}
			if len(calls) > 1 {
				return runDiffCalls(cmd.Context(), s, args[0], calls, f)
			}
			return runDiff(cmd.Context(), s, args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Strategy, "strategy", "", "strategy chain; lens strategies lists them")
	strategyFileFlag(cmd, &f.file)
	flags.StringArrayVar(&calls, "call", nil, "call: 1…n, first, last, next (the default); two are held against each other")
	flags.StringVar(&f.Thread, "thread", "", "thread, by id or unique prefix; of two runs, of both")
	addCount(s, cmd)
	flags.BoolVar(&f.json, "json", false, "print lens.diff/1, of two calls lens.calldiff/1, of two runs lens.rundiff/1")
	f.Programs.Add(flags)
	return cmd
}

func runDiff(ctx context.Context, s *session.Session, name string, f curateFlags) error {
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	if f.Call == "all" {
		return failure.Usage("--call all: a diff is of one call: a number, first, last or next")
	}
	if f.Strategy, err = s.ChainText(f.Strategy, f.file); err != nil {
		return err
	}
	r, err := s.Replay(ctx, g, name, f.ReplayOptions)
	if err != nil {
		return err
	}
	n, err := session.CallNumber(f.Call, r.Calls())
	if err != nil {
		return err
	}
	if !r.Has(n) {
		return failure.Nof("%s: not recorded; try a what-if: --strategy 'sliding_window(20)'", session.CallName(n, r.Calls()))
	}
	v := r.View(n)
	differs := false
	for i := range v.Entries {
		differs = differs || v.Entries[i].Fate != model.Kept
	}
	if f.json {
		row, err := export.Diff(g, r.Run, r.Thread, v, r.Strategy)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(s.Out).Encode(row); err != nil {
			return err
		}
	} else if err := output.DiffText(s.Out, g, r, v); err != nil {
		return err
	}
	if differs {
		return failure.ErrFound
	}
	return nil
}
