package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"agentlens/internal/curate/lint"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

type lintFlags struct {
	strategy, file, call, thread, provider string
	json                                   bool
	programs                               programFlags
}

func (a *app) lint() *cobra.Command {
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
		RunE: func(cmd *cobra.Command, args []string) error { return a.runLint(cmd.Context(), args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.strategy, "strategy", "", "strategy chain; without it the full history")
	strategyFileFlag(cmd, &f.file)
	flags.StringVar(&f.call, "call", "", "call: 1…n, first, last, next (after the record; the default) or all")
	flags.StringVar(&f.thread, "thread", "", "thread, by id or unique prefix")
	flags.StringVar(&f.provider, "provider", "", "only the rules of: "+strings.Join(lint.Providers(), ", "))
	a.addCount(cmd)
	flags.BoolVar(&f.json, "json", false, "print lens.lint/1; one line per call with --call all")
	f.programs.add(flags)
	return cmd
}

func (a *app) runLint(ctx context.Context, name string, f lintFlags) error {
	providers := lint.Providers()
	if f.provider != "" {
		if !slices.Contains(providers, f.provider) {
			return usageError{fmt.Sprintf("--provider %s: want %s", f.provider, strings.Join(providers, ", "))}
		}
		providers = []string{f.provider}
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	strategy, err := a.chainOf(f.strategy, f.file)
	if err != nil {
		return err
	}
	if strategy == "" {
		strategy = "passthrough"
	}
	r, err := a.replay(ctx, g, name, curateFlags{strategy: strategy, call: f.call, thread: f.thread, programs: f.programs})
	if err != nil {
		return err
	}
	first, last := 1, r.Calls()+1
	if f.call != "all" {
		if first, err = callNumber(f.call, r.Calls()); err != nil {
			return err
		}
		last = first
	}
	l := lint.New(r.run, r.thread, r.in.Window)
	total := 0
	for n := first; n <= last; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, err := l.CheckEach(r.View(n), providers)
		if err != nil {
			return err
		}
		if err := a.printFindings(g, r, n, found, f.json); err != nil {
			return err
		}
		total += len(found)
	}
	if total > 0 {
		return errFound
	}
	if !f.json {
		fmt.Fprintf(a.out, "nothing to refuse: %s\n", strings.Join(providers, ", "))
	}
	return nil
}

// findingRow is one finding of lens.lint/1. Index is null where a finding is about
// no message of the thread.
type findingRow struct {
	Provider string        `json:"provider"`
	Rule     string        `json:"rule"`
	Index    *int          `json:"index"`
	Message  safe.SafeJSON `json:"message"`
}

func (a *app) printFindings(g *safe.Gate, r *replayed, n int, found []model.Problem, asJSON bool) error {
	if asJSON {
		rows := []findingRow{}
		for _, p := range found {
			row := findingRow{Provider: p.Provider, Rule: p.Rule, Message: g.JSON(p.Message)}
			if p.Index >= 0 {
				row.Index = &p.Index
			}
			rows = append(rows, row)
		}
		return json.NewEncoder(a.out).Encode(struct {
			Schema   string        `json:"schema"`
			RunID    safe.SafeJSON `json:"run_id"`
			ThreadID safe.SafeJSON `json:"thread_id"`
			Strategy safe.SafeJSON `json:"strategy"`
			Call     int           `json:"call"`
			Calls    int           `json:"calls"`
			Findings []findingRow  `json:"findings"`
		}{"lens.lint/1", g.JSON(r.run.ID), g.JSON(r.thread.ID), g.JSON(r.strategy), n, r.Calls(), rows})
	}
	if len(found) == 0 {
		return nil
	}
	fmt.Fprintf(a.out, "%s · %s · %s\n", g.Line(r.run.ID), callName(n, r.Calls()), g.Line(r.strategy))
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, p := range found {
		where := "request"
		if p.Index >= 0 {
			where = fmt.Sprintf("message %d", p.Index)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", p.Provider, where, p.Rule, g.Line(p.Message))
	}
	return w.Flush()
}
