package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

func (a *app) diff() *cobra.Command {
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
				return usageError{cmd.CommandPath() + " takes one run, or two to hold against each other"}
			}
			return oneRun(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(calls) > 0 {
				f.call = calls[0]
			}
			if len(args) == 2 {
				return a.runDiffRuns(cmd.Context(), args, f)
			}
			if len(calls) > 1 {
				return a.runDiffCalls(cmd.Context(), args[0], calls, f)
			}
			return a.runDiff(cmd.Context(), args[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.strategy, "strategy", "", "strategy chain; lens strategies lists them")
	strategyFileFlag(cmd, &f.file)
	flags.StringArrayVar(&calls, "call", nil, "call: 1…n, first, last, next (the default); two are held against each other")
	flags.StringVar(&f.thread, "thread", "", "thread, by id or unique prefix; of two runs, of both")
	a.addCount(cmd)
	flags.BoolVar(&f.json, "json", false, "print lens.diff/1, of two calls lens.calldiff/1, of two runs lens.rundiff/1")
	f.programs.add(flags)
	return cmd
}

func (a *app) runDiff(ctx context.Context, name string, f curateFlags) error {
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	if f.call == "all" {
		return usageError{"--call all: a diff is of one call: a number, first, last or next"}
	}
	if f.strategy, err = a.chainOf(f.strategy, f.file); err != nil {
		return err
	}
	r, err := a.replay(ctx, g, name, f)
	if err != nil {
		return err
	}
	n, err := callNumber(f.call, r.Calls())
	if err != nil {
		return err
	}
	if !r.Has(n) {
		return notFound{fmt.Sprintf("%s: not recorded; try a what-if: --strategy 'sliding_window(20)'", callName(n, r.Calls()))}
	}
	v := r.View(n)
	differs := false
	for i := range v.Entries {
		differs = differs || v.Entries[i].Fate != model.Kept
	}
	if f.json {
		row, err := export.Diff(g, r.run, r.thread, v, r.strategy)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(a.out).Encode(row); err != nil {
			return err
		}
	} else if err := a.diffText(g, r, v); err != nil {
		return err
	}
	if differs {
		return errFound
	}
	return nil
}

// diffText prints a view as a diff: kept messages in one line per stretch.
func (a *app) diffText(g *safe.Gate, r *replayed, v *model.View) error {
	about := ""
	if v.Estimated {
		about = "~"
	}
	fmt.Fprintf(a.out, "--- %s, full history: %d messages, %s%s tokens\n", g.Line(r.run.ID), v.Original.Messages, about, comma(v.Original.Tokens))
	fmt.Fprintf(a.out, "+++ %s, %s: %d messages, %s%s tokens\n", callName(v.Call, r.Calls()), v.Basis, v.Curated.Messages, about, comma(v.Curated.Tokens))
	kept := 0
	flush := func() {
		if kept > 0 {
			fmt.Fprintf(a.out, "  … %d kept\n", kept)
		}
		kept = 0
	}
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Fate == model.Kept {
			kept++
			continue
		}
		flush()
		text, err := previewOf(g, r, e)
		if err != nil {
			return err
		}
		mark := map[model.Fate]string{model.WasDropped: "-", model.WasChanged: "~", model.Added: "+"}[e.Fate]
		index := ""
		if e.Index >= 0 {
			index = fmt.Sprintf("%d ", e.Index)
		}
		fmt.Fprintf(a.out, "%s %s%s  %s\n", mark, index, e.Role, text)
		if reason := strings.TrimSpace(g.Line(e.Reason).String()); reason != "" {
			fmt.Fprintf(a.out, "    %s: %s\n", g.Line(e.By), reason)
		}
	}
	flush()
	return nil
}
