package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"agentlens/internal/curate"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/score"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

type compareFlags struct {
	strategies []string
	thread     string
	all, json  bool
}

// lossHelp says what LOSS is, for every command that shows it.
const lossHelp = `LOSS is the share of what the recorded replies show they needed and the view of
their call has not. Needed are: the messages a reply cites, by a distinctive word
(a path, a name of code, a number) that it has of them, where no other message of
the view has the word; every message a person wrote; and the results of calls that
the agent made again, same tool and arguments. What a reply took in other words
goes unseen.`

// costHelp says what COST is.
const costHelp = `COST is that of the prompts alone: the head that is as at the call before at the
price of reading a cache (from 1,024 tokens on, for five minutes), the rest at
that of writing it, or of input. Tools and replies are not in it.`

func (a *app) compare() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare <source…> [CHAIN…]",
		Short: "Strategies side by side, over every call of a thread",
		Long: `Replay chains over every provider call and print what each comes to: SENT, the
tokens of the messages of all prompts in sum, counted by lens (tools and replies
are not in it, as they are in TOKENS of lens list, which is the recorded usage),
and the most of one call, PEAK; the share saved; of the messages that calls were
given, those missing from the view of one; the share of the prompts that stands at
the head of the call before unchanged (so that a prompt cache has it), cost, loss,
BROKEN, the pairs of call and result of which a view has one, and REFUSED, at how
many calls the view breaks a pair or some provider would refuse it. The recorded
view comes first, where there is one, then the full history. Without a chain: all
presets. Of several sources, or a folder, the sums.

` + lossHelp + "\n\n" + costHelp + `

  lens compare session.jsonl 'sliding_window(20)' 'truncate_tool_results(1000)'
  lens compare ~/traces @claude-code @anthropic-context-editing`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runCompare(cmd.Context(), args, f) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.strategies, "strategy", nil, "a further chain; may be given several times")
	flags.StringVar(&f.thread, "thread", "", "thread, by id or unique prefix")
	a.addCount(cmd)
	flags.BoolVar(&f.all, "all-calls", false, "look for what providers refuse at every call, also of long threads")
	flags.BoolVar(&f.json, "json", false, "print lens.compare/1")
	return cmd
}

// sourcesAndChains tells the sources of a command line from the chains: the first
// word is a source, and so is each that names what is there.
func (a *app) sourcesAndChains(args []string) (sources []string, chains []curate.Chain, err error) {
	for i, arg := range args {
		_, statErr := os.Stat(arg)
		if i == 0 || statErr == nil || slices.Contains([]string{"demo", "latest", "-"}, arg) {
			sources = append(sources, arg)
			continue
		}
		chain, err := a.parse(arg)
		var fault *curate.SyntaxError
		if errors.As(err, &fault) && !strings.ContainsAny(arg, "(|@") {
			if path, _, ok := strings.Cut(arg, "#"); ok {
				if _, statErr := os.Stat(path); statErr == nil {
					sources = append(sources, arg)
					continue
				}
			}
			return nil, nil, usageError{fmt.Sprintf("%s: no file of this name, and no chain: %v", arg, err)}
		}
		if err != nil {
			return nil, nil, err
		}
		chains = append(chains, chain)
	}
	return sources, chains, nil
}

func (a *app) runCompare(ctx context.Context, args []string, f compareFlags) error {
	if len(args) == 0 {
		return usageError{"lens compare needs a source: a run, a file or a folder, then chains"}
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	sources, chains, err := a.sourcesAndChains(args)
	if err != nil {
		return err
	}
	for _, text := range f.strategies {
		chain, err := a.parse(text)
		if err != nil {
			return err
		}
		chains = append(chains, chain)
	}
	c := &contest{app: a, checks: true, all: f.all, recorded: true}
	if err := c.add("passthrough", "passthrough: all of it"); err != nil {
		return err
	}
	if len(chains) == 0 {
		own, err := a.settings()
		if err != nil {
			return err
		}
		for _, p := range append(curate.Presets(), own.OwnPresets()...) {
			if err := c.add(p.Name, p.Name); err != nil {
				return err
			}
		}
	}
	for _, chain := range chains {
		c.entries = append(c.entries, entrant{chain, chain.String()})
	}
	if err := c.over(ctx, sources, f.thread); err != nil {
		return err
	}
	c.remarks()
	if len(c.scores) == 0 || c.scores[1].Runs == 0 {
		return notFound{"nothing to compare: no run here has provider calls"}
	}
	if err := c.notRun(len(chains)); err != nil {
		return err
	}
	if f.json {
		return a.scoresJSON(g, "lens.compare/1", c.rows(), nil)
	}
	return a.scoresText(g, c.rows())
}

// A scored chain is a row of the tables.
type scored struct {
	name string
	curate.Chain
	score.Score
	refused refusal
}

func (c *contest) rows() []scored {
	var rows []scored
	if c.scores[0].Runs > 0 {
		rows = append(rows, scored{name: "as recorded", Score: c.scores[0]})
	}
	for i, e := range c.entries {
		rows = append(rows, scored{e.name, e.Chain, c.scores[1+i], c.refused[i]})
	}
	return rows
}

// scoresText prints a row per chain, the chain last.
func (a *app) scoresText(g *safe.Gate, rows []scored) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	runs, checked := 0, false
	for i := range rows {
		runs, checked = max(runs, rows[i].Runs+rows[i].refused.threads), checked || rows[i].Done
	}
	checks := func(cells string) string {
		if !checked {
			return ""
		}
		return cells
	}
	fmt.Fprintln(w, "SENT\tPEAK\tSAVED\tDROPPED\tPREFIX\tCOST\tLOSS\t"+checks("BROKEN\tREFUSED\t")+"CHAIN")
	for i := range rows {
		r := &rows[i]
		if r.Runs == 0 {
			fmt.Fprintf(w, "–\t–\t–\t–\t–\t–\t–\t%s%s  (not run)\n", checks("–\t–\t"), g.Line(r.name))
			continue
		}
		about := ""
		if r.Estimated {
			about = "~"
		}
		note := ""
		if r.Calls < r.Of {
			note = fmt.Sprintf("  (%d of %d calls)", r.Calls, r.Of)
		}
		if r.Runs < runs {
			note += fmt.Sprintf("  (%d of %d runs)", r.Runs, runs)
		}
		fmt.Fprintf(w, "%s%s\t%s%s\t%s\t%s of %s\t%s\t%s\t%s\t%s%s%s\n",
			about, short(r.Sent), about, short(r.Peak), score.Percent(r.Saved()), comma(int64(r.EverDropped)), comma(int64(r.Messages)), score.Percent(r.PrefixKept()),
			r.Cost, score.Percent(r.Loss.Share()), checks(comma(int64(r.Broken))+"\t"+refusals(&r.Score)+"\t"), g.Line(r.name), note)
	}
	return w.Flush()
}

// refusals says at how many calls the view breaks a pair or some provider would refuse
// it, and of which each is one: "5 (anthropic 5, openai 3, pairs 2)".
func refusals(s *score.Score) string {
	var list []string
	for _, p := range lint.Providers() {
		if n := s.Problems[p]; n > 0 {
			list = append(list, fmt.Sprintf("%s %d", p, n))
		}
	}
	if s.BrokenCalls > 0 {
		list = append(list, fmt.Sprintf("pairs %d", s.BrokenCalls))
	}
	if list == nil {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", s.RefusedCalls, strings.Join(list, ", "))
}

// scoreRow is a chain of lens.compare/1 and lens.tune/1; null is not known.
type scoreRow struct {
	Strategy   *safe.SafeJSON `json:"strategy"` // null: the record
	Runs       int            `json:"runs"`
	Refused    int            `json:"runs_without_window"`
	NotRun     *safe.SafeJSON `json:"not_run"` // why it ran on fewer than all
	Calls      int            `json:"calls"`
	CallsAll   int            `json:"calls_of"`
	Sent       int64          `json:"sent"`
	Peak       int64          `json:"peak"`
	Full       int64          `json:"full"`
	Saved      *float64       `json:"saved"`
	Messages   int            `json:"messages"`
	Dropped    int            `json:"dropped"`
	PrefixKept *float64       `json:"prefix_kept"`
	CostUSD    *float64       `json:"cost_usd"`
	Loss       *float64       `json:"loss"`
	Lost       lossRow        `json:"lost"`
	Checked    int            `json:"calls_checked"`
	Broken     *int           `json:"pairs_broken"`
	BrokenAt   *int           `json:"calls_broken"`      // those whose view breaks a pair
	RefusedAny *int           `json:"calls_refused_any"` // those, and those that some provider would refuse
	Problems   map[string]int `json:"calls_refused,omitempty"`
	Estimated  bool           `json:"estimated"`
}

type lossRow struct {
	Cited        shareRow `json:"cited"`
	Instructions shareRow `json:"instructions"`
	Repeats      shareRow `json:"repeats"`
}

type shareRow struct {
	Lost float64 `json:"lost"`
	Of   float64 `json:"of"`
}

func scoreRowOf(g *safe.Gate, s *scored) scoreRow {
	known := func(share float64, known bool) *float64 {
		if !known {
			return nil
		}
		return &share
	}
	row := scoreRow{
		Runs: s.Runs, Refused: s.refused.threads, Calls: s.Calls, CallsAll: s.Of, Sent: s.Sent, Peak: s.Peak, Full: s.Full, Saved: known(s.Saved()),
		Messages: s.Messages, Dropped: s.EverDropped, PrefixKept: known(s.PrefixKept()), CostUSD: known(s.Cost.USD, s.Cost.Known),
		Loss: known(s.Loss.Share()), Lost: lossRow{shareRow(s.Loss.Cited), shareRow(s.Loss.Instructions), shareRow(s.Loss.Repeats)},
		Checked: s.Checked, Problems: s.Problems, Estimated: s.Estimated,
	}
	if s.Chain != nil {
		name := g.JSON(s.Chain.String())
		row.Strategy = &name
	}
	if s.refused.why != nil {
		why := g.JSON(s.refused.why.Message)
		row.NotRun = &why
	}
	if s.Done {
		row.Broken, row.BrokenAt, row.RefusedAny = &s.Broken, &s.BrokenCalls, &s.RefusedCalls
	}
	return row
}

func (a *app) scoresJSON(g *safe.Gate, schema string, rows []scored, more map[string]any) error {
	out := []scoreRow{}
	for i := range rows {
		out = append(out, scoreRowOf(g, &rows[i]))
	}
	all := map[string]any{"schema": schema, "chains": out}
	for k, v := range more {
		all[k] = v
	}
	return json.NewEncoder(a.out).Encode(all)
}
