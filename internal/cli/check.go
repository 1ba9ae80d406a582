package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"agentlens/internal/curate/score"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

type checkFlags struct {
	strategy, file, thread string
	asserts                []string
	json                   bool
	programs               programFlags
}

func (a *app) check() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check <run> [--strategy C] --assert 'tokens<=50k'…",
		Short: "Assert what a strategy comes to at every call: for CI",
		Long: `Replay a chain over every provider call of a thread and hold each call to the
assertions: a figure, one of <= >= < > == !=, and a number (50k, 1.5M; 5% of a
share). Figures of a call are held to at every call, those that begin with sum.
once. Without --strategy: the recorded or reconstructed views. Exit code 1 when
one fails, each failing call named, the first one first.

The context of a call is what the provider counted, where the record has that and
is not replayed with another chain; else the messages and what prompts of this
thread are known to hold beside them.

` + figuresHelp() + `

` + lossHelp + `

  lens check run.jsonl --assert 'context<=50%'       # which calls pass half the window
  lens check run.jsonl --strategy '@mine' --assert 'tokens<=50k' --assert 'problems==0'
  lens check run.jsonl --strategy 'token_budget(30k)' --assert 'sum.loss<10%'`,
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runCheck(cmd.Context(), args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.strategy, "strategy", "", "strategy chain; without it the recorded views")
	strategyFileFlag(cmd, &f.file)
	flags.StringArrayVar(&f.asserts, "assert", nil, "what must hold; may be given several times")
	flags.StringVar(&f.thread, "thread", "", "thread, by id or unique prefix")
	a.addCount(cmd)
	flags.BoolVar(&f.json, "json", false, "print lens.check/1")
	f.programs.add(flags)
	return cmd
}

func figuresHelp() string {
	var b strings.Builder
	for _, figure := range score.Figures() {
		fmt.Fprintf(&b, "  %-26s %s\n", figure.Name, figure.Help)
	}
	return strings.TrimRight(b.String(), "\n")
}

func (a *app) runCheck(ctx context.Context, name string, f checkFlags) error {
	if len(f.asserts) == 0 {
		return usageError{"lens check needs something to check: --assert 'tokens<=50k'"}
	}
	looks := false
	var assertions []score.Assertion
	for _, text := range f.asserts {
		assertion, err := score.ParseAssertion(text)
		if err != nil {
			return usageError{"--assert " + err.Error()}
		}
		assertions = append(assertions, assertion)
		looks = looks || assertion.Figure.Looks
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	if f.strategy, err = a.chainOf(f.strategy, f.file); err != nil {
		return err
	}
	r, err := a.replay(ctx, g, name, curateFlags{strategy: f.strategy, thread: f.thread, call: "all", programs: f.programs})
	if err != nil {
		return err
	}
	opt, err := a.options(ctx, r.in, looks)
	if err != nil {
		return err
	}
	s, calls, err := score.Of(ctx, r.in, r.Replayed, opt)
	if err != nil {
		return err
	}
	if err := checkable(assertions, &s, calls); err != nil {
		return err
	}
	held := heldTo{s.Calls, s.Of}
	if slices.ContainsFunc(assertions, func(x score.Assertion) bool { return x.Figure.OfWindow }) {
		held.calls = len(calls)
	}
	failed := score.Failures(assertions, &s, calls)
	if f.json {
		err = a.failuresJSON(g, r, held, s.Estimated, failed)
	} else {
		err = a.failuresText(g, held, assertions, failed)
	}
	if err == nil && len(failed) > 0 {
		err = errFound
	}
	return err
}

// heldTo counts the calls that could be held to an assertion, of all.
type heldTo struct{ calls, of int }

// checkable says why there is nothing that assertions could be held to.
func checkable(assertions []score.Assertion, s *score.Score, calls []score.CallScore) error {
	ofView := func(x score.Assertion) bool { return !x.Figure.OfWindow }
	switch {
	case s.Of == 0:
		return notFound{"nothing to check: the thread has no provider calls"}
	case len(calls) == 0, s.Calls == 0 && slices.ContainsFunc(assertions, ofView):
		return notFound{"not recorded at any call; try a what-if: --strategy passthrough"}
	}
	ofWindow := slices.IndexFunc(assertions, score.Assertion.OfWindow)
	if ofWindow >= 0 && !slices.ContainsFunc(calls, func(c score.CallScore) bool { return c.Window > 0 }) {
		return usageError{fmt.Sprintf("--assert %s is a share of the context window, which is not known: name it with --window 200k, or in the config file", assertions[ofWindow].Text)}
	}
	return nil
}

func (a *app) failuresText(g *safe.Gate, held heldTo, assertions []score.Assertion, failed []score.Failure) error {
	if len(failed) == 0 {
		_, err := fmt.Fprintf(a.out, "holds: %d of %d assertions at %d of %d calls\n", len(assertions), len(assertions), held.calls, held.of)
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, f := range failed {
		where, value := fmt.Sprintf("call %d", f.Call), f.Show(f.Value)
		if whole := int64(f.Value); !f.Figure.Share && !f.OfWindow() && f.Value == float64(whole) {
			value = comma(whole)
		}
		if f.Call == 0 {
			where = "all calls"
		}
		if f.Estimated {
			value = "~" + value
		}
		if f.Unknown {
			value = "not known"
		}
		fmt.Fprintf(w, "FAILED\t%s\t%s\t%s: %s\n", g.Line(f.Text), where, f.Figure.Name, value)
	}
	return w.Flush()
}

// failureRow is a failure of lens.check/1: call is null for all of them together,
// value null where the record does not tell it.
type failureRow struct {
	Assertion safe.SafeJSON `json:"assertion"`
	Figure    string        `json:"figure"`
	Call      *int          `json:"call"`
	Value     *float64      `json:"value"`
	Estimated bool          `json:"estimated"` // the value is
}

func (a *app) failuresJSON(g *safe.Gate, r *replayed, held heldTo, estimated bool, failed []score.Failure) error {
	rows := []failureRow{}
	for _, f := range failed {
		row := failureRow{Assertion: g.JSON(f.Text), Figure: f.Figure.Name, Estimated: f.Estimated}
		if f.Call > 0 {
			row.Call = &f.Call
		}
		if !f.Unknown {
			row.Value = &f.Value
		}
		rows = append(rows, row)
	}
	var strategy *safe.SafeJSON
	if r.strategy != "" {
		name := g.JSON(r.strategy)
		strategy = &name
	}
	return json.NewEncoder(a.out).Encode(struct {
		Schema    string         `json:"schema"`
		RunID     safe.SafeJSON  `json:"run_id"`
		ThreadID  safe.SafeJSON  `json:"thread_id"`
		Strategy  *safe.SafeJSON `json:"strategy"` // null: the record
		Calls     int            `json:"calls"`
		CallsAll  int            `json:"calls_of"`
		Estimated bool           `json:"estimated"`
		Passed    bool           `json:"passed"`
		Failures  []failureRow   `json:"failures"`
	}{"lens.check/1", g.JSON(r.run.ID), g.JSON(r.thread.ID), strategy, held.calls, held.of, estimated, len(failed) == 0, rows})
}
