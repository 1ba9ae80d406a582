package cli

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/session"
	"agentlens/internal/curate"
	"agentlens/internal/redact"
)

type compareFlags struct {
	strategies []string
	thread     string
	all, json  bool
}

// lossHelp explains LOSS for all commands that print it.
const lossHelp = `LOSS is the share of what the recorded replies show they needed and the view of
their call has not. Needed are: the messages a reply cites, by a distinctive word
(a path, a name of code, a number) that it has of them, where no other message of
the view has the word; every message a person wrote; and the results of calls that
the agent made again, same tool and arguments. What a reply took in other words
goes unseen.`

// costHelp explains COST for all commands that print it.
const costHelp = `COST is that of the prompts alone: the head that is as at the call before at the
price of reading a cache (from 1,024 tokens on, for five minutes), the rest at
that of writing it, or of input. Tools and replies are not in it.`

func newCompare(s *session.Session) *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:  "compare <source…> [CHAIN…]",
		RunE: func(cmd *cobra.Command, args []string) error { return runCompare(cmd.Context(), s, args, f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.strategies, "strategy", nil, "")
	flags.StringVar(&f.thread, "thread", "", "")
	addCount(s, cmd)
	flags.BoolVar(&f.all, "all-calls", false, "")
	flags.BoolVar(&f.json, "json", false, "")
	return cmd
}

// sourcesAndChains separates the sources of a command line from the chains. The first argument and every argument
// that names an existing file or run are sources.
func sourcesAndChains(s *session.Session, args []string) (sources []string, chains []curate.Chain, err error) {
	for i, arg := range args {
		_, statErr := os.Stat(arg)
		if i == 0 || statErr == nil || slices.Contains([]string{"demo", "latest", "-"}, arg) {
			sources = append(sources, arg)
			continue
		}
		chain, err := s.Chain(arg)
		var fault *curate.SyntaxError
		if errors.As(err, &fault) && !strings.ContainsAny(arg, "(|@") {
			if path, _, ok := strings.Cut(arg, "#"); ok {
				if _, statErr := os.Stat(path); statErr == nil {
					sources = append(sources, arg)
					continue
				}
			}
			return nil, nil, failure.Usagef(neitherFileNorChain, arg, err)
		}
		if err != nil {
			return nil, nil, err
		}
		chains = append(chains, chain)
	}
	return sources, chains, nil
}

func runCompare(ctx context.Context, s *session.Session, args []string, f compareFlags) error {
	if len(args) == 0 {
		return failure.Usage(needsSourceToCompare)
	}
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	sources, chains, err := sourcesAndChains(s, args)
	if err != nil {
		return err
	}
	for _, text := range f.strategies {
		chain, err := s.Chain(text)
		if err != nil {
			return err
		}
		chains = append(chains, chain)
	}
	c := &comparison{Session: s, checks: true, all: f.all, recorded: true}
	if err := c.Add("passthrough", "passthrough: all of it"); err != nil {
		return err
	}
	if len(chains) == 0 {
		own, err := s.Settings()
		if err != nil {
			return err
		}
		for _, p := range append(curate.Presets(), own.OwnPresets()...) {
			if err := c.Add(p.Name, p.Name); err != nil {
				return err
			}
		}
	}
	for _, chain := range chains {
		c.entries = append(c.entries, candidate{chain, chain.String()})
	}
	if err := c.over(ctx, sources, f.thread); err != nil {
		return err
	}
	c.remarks()
	if len(c.scores) == 0 || c.scores[1].Runs == 0 {
		return failure.No(nothingToCompare)
	}
	if err := c.notRun(len(chains)); err != nil {
		return err
	}
	if f.json {
		return output.ScoresJSON(s.Out, g, "lens.compare/1", c.rows(), nil)
	}
	return output.ScoresText(s.Out, g, c.rows())
}

func (c *comparison) rows() []output.Scored {
	var rows []output.Scored
	if c.scores[0].Runs > 0 {
		rows = append(rows, output.Scored{Name: "as recorded", Score: c.scores[0]})
	}
	for i, e := range c.entries {
		rows = append(rows, output.Scored{Name: e.name, Chain: e.Chain, Score: c.scores[1+i], Refused: c.refused[i]})
	}
	return rows
}
