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
	"agentlens/internal/curate/score"
	"agentlens/internal/redact"
)

type checkFlags struct {
	strategy, file, thread string
	asserts                []string
	json                   bool
	programs               programs.Options
}

func newCheck(s *session.Session) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:  "check <run> [--strategy C] --assert 'tokens<=50k'…",
		Args: oneRun,
		RunE: func(cmd *cobra.Command, args []string) error { return runCheck(cmd.Context(), s, args[0], f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.strategy, "strategy", "", "")
	strategyFileFlag(cmd, &f.file)
	flags.StringArrayVar(&f.asserts, "assert", nil, "")
	flags.StringVar(&f.thread, "thread", "", "")
	addCount(s, cmd)
	flags.BoolVar(&f.json, "json", false, "")
	f.programs.Add(flags)
	return cmd
}

func figuresHelp() string {
	var b strings.Builder
	for _, figure := range score.Figures() {
		fmt.Fprintf(&b, "  %-26s %s\n", figure.Name, figure.Help)
	}
	return strings.TrimRight(b.String(), "\n")
}

func runCheck(ctx context.Context, s *session.Session, name string, f checkFlags) error {
	if len(f.asserts) == 0 {
		return failure.Usage(needsAssert)
	}
	looks := false
	var assertions []score.Assertion
	for _, text := range f.asserts {
		assertion, err := score.ParseAssertion(text)
		if err != nil {
			return failure.Usage("--assert " + err.Error())
		}
		assertions = append(assertions, assertion)
		looks = looks || assertion.Figure.Looks
	}
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	if f.strategy, err = s.ChainText(f.strategy, f.file); err != nil {
		return err
	}
	r, err := s.Replay(ctx, g, name, session.ReplayOptions{Strategy: f.strategy, Thread: f.thread, Call: "all", Programs: f.programs})
	if err != nil {
		return err
	}
	opt, err := scoreOptions(ctx, s, r.In, looks)
	if err != nil {
		return err
	}
	sum, calls, err := score.Of(ctx, r.In, r.Replayed, opt)
	if err != nil {
		return err
	}
	if err := checkable(assertions, &sum, calls); err != nil {
		return err
	}
	held := output.Checked{Calls: sum.Calls, Of: sum.Of}
	if slices.ContainsFunc(assertions, func(x score.Assertion) bool { return x.Figure.OfWindow }) {
		held.Calls = len(calls)
	}
	failed := score.Failures(assertions, &sum, calls)
	if f.json {
		err = output.FailuresJSON(s.Out, g, r, held, sum.Estimated, failed)
	} else {
		err = output.FailuresText(s.Out, g, held, assertions, failed)
	}
	if err == nil && len(failed) > 0 {
		err = failure.ErrFound
	}
	return err
}

// checkable returns an error if no call can be checked against the assertions.
func checkable(assertions []score.Assertion, s *score.Score, calls []score.CallScore) error {
	ofView := func(x score.Assertion) bool { return !x.Figure.OfWindow }
	switch {
	case s.Of == 0:
		return failure.No(nothingToCheck)
	case len(calls) == 0, s.Calls == 0 && slices.ContainsFunc(assertions, ofView):
		return failure.No(notRecordedAtAll)
	}
	ofWindow := slices.IndexFunc(assertions, score.Assertion.OfWindow)
	if ofWindow >= 0 && !slices.ContainsFunc(calls, func(c score.CallScore) bool { return c.Window > 0 }) {
		return failure.Usagef(windowUnknown, assertions[ofWindow].Text)
	}
	return nil
}
