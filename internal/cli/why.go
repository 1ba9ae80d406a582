package cli

import (
	"context"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/args"
	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/session"
	"agentlens/internal/redact"
	"agentlens/internal/ui/linear"
)

func newWhy(s *session.Session) *cobra.Command {
	var f showFlags
	cmd := &cobra.Command{
		Use:  "why <run>",
		Args: args.RunOrInput(s),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runWhy(cmd.Context(), s, append(args, "-")[0], f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.call, "call", "", "")
	flags.StringVar(&f.thread, "thread", "", "")
	flags.StringVar(&f.strategy, "strategy", "", "")
	flags.BoolVar(&f.json, "json", false, "")
	strategyFileFlag(s, cmd, &f.file)
	f.programs.Add(flags)
	addWindow(s, cmd)
	return cmd
}

// runWhy explains the view of one call.
func runWhy(ctx context.Context, s *session.Session, name string, f showFlags) error {
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	if f.strategy, err = s.ChainText(f.strategy, f.file); err != nil {
		return err
	}
	if f.strategy != "" {
		chain, err := s.Chain(f.strategy)
		if err != nil {
			return err
		}
		f.strategy = chain.String()
	}
	if f.call == "all" {
		return failure.Usage(whyOfOneCall)
	}
	chosen := f.call
	if f.strategy != "" && f.call == "" {
		f.call = "next"
	}
	src, id, err := s.Open(ctx, name)
	if err != nil {
		return err
	}
	entry, err := src.Pick(id)
	if err != nil {
		return err
	}
	cfg, err := (&target{s, g, name, src, entry.ID, f}).config()
	if err != nil {
		return err
	}
	if err := loadOnce(ctx, g, &cfg.Config); err != nil {
		return err
	}
	e, err := linear.Explain(ctx, cfg.Config, s.Err)
	switch {
	case err != nil:
		return err
	case e == nil:
		return failure.No(noViewToExplain)
	}
	if _, err := session.CallNumber(f.call, e.Calls); err != nil {
		return err
	}
	switch {
	case f.json:
		return output.WhyJSON(s.Out, g, e)
	}
	if chosen == "" {
		session.PrintCall(s.Err, e.Call, e.Calls)
	}
	return output.WhyText(s.Out, g, e)
}
