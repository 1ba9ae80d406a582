package output

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"agentlens/internal/cli/number"
	"agentlens/internal/curate"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/score"
	"agentlens/internal/safe"
)

// Scored is a chain with its scores, printed as one row of the table.
type Scored struct {
	Name string
	curate.Chain
	score.Score
	Refused Refusal
}

// ScoresText prints a row per chain, with the chain in the last column.
func ScoresText(out io.Writer, g *safe.Gate, rows []Scored) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	runs, checked := 0, false
	for i := range rows {
		runs, checked = max(runs, rows[i].Runs+rows[i].Refused.Threads), checked || rows[i].Done
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
			fmt.Fprintf(w, "–\t–\t–\t–\t–\t–\t–\t%s%s  (not run)\n", checks("–\t–\t"), g.Line(r.Name))
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
			about, number.Short(r.Sent), about, number.Short(r.Peak), score.Percent(r.Saved()), number.Group(int64(r.EverDropped)), number.Group(int64(r.Messages)), score.Percent(r.PrefixKept()),
			r.Cost, score.Percent(r.Loss.Share()), checks(number.Group(int64(r.Broken))+"\t"+refusals(&r.Score)+"\t"), g.Line(r.Name), note)
	}
	return w.Flush()
}

// refusals returns the number of calls whose view splits a tool pair or would be refused by a provider, followed
// by the count of each cause: "5 (anthropic 5, openai 3, pairs 2)".
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

// scoreRow is a chain in lens.compare/1 and lens.tune/1. Null means unknown.
type scoreRow struct {
	Strategy   *safe.SafeJSON `json:"strategy"` // null: as recorded
	Runs       int            `json:"runs"`
	Refused    int            `json:"runs_without_window"`
	NotRun     *safe.SafeJSON `json:"not_run"` // why it ran on fewer runs than the others
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
	BrokenAt   *int           `json:"calls_broken"`      // calls whose view breaks a pair
	RefusedAny *int           `json:"calls_refused_any"` // those, and calls that a provider would refuse
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

func scoreRowOf(g *safe.Gate, s *Scored) scoreRow {
	known := func(share float64, known bool) *float64 {
		if !known {
			return nil
		}
		return &share
	}
	row := scoreRow{
		Runs: s.Runs, Refused: s.Refused.Threads, Calls: s.Calls, CallsAll: s.Of, Sent: s.Sent, Peak: s.Peak, Full: s.Full, Saved: known(s.Saved()),
		Messages: s.Messages, Dropped: s.EverDropped, PrefixKept: known(s.PrefixKept()), CostUSD: known(s.Cost.USD, s.Cost.Known),
		Loss: known(s.Loss.Share()), Lost: lossRow{shareRow(s.Loss.Cited), shareRow(s.Loss.Instructions), shareRow(s.Loss.Repeats)},
		Checked: s.Checked, Problems: s.Problems, Estimated: s.Estimated,
	}
	if s.Chain != nil {
		name := g.JSON(s.Chain.String())
		row.Strategy = &name
	}
	if s.Refused.Why != nil {
		why := g.JSON(s.Refused.Why.Message)
		row.NotRun = &why
	}
	if s.Done {
		row.Broken, row.BrokenAt, row.RefusedAny = &s.Broken, &s.BrokenCalls, &s.RefusedCalls
	}
	return row
}

// ScoresJSON prints the scores of chains under the given schema, with the additional members in more.
func ScoresJSON(out io.Writer, g *safe.Gate, schema string, rows []Scored, more map[string]any) error {
	chains := []scoreRow{}
	for i := range rows {
		chains = append(chains, scoreRowOf(g, &rows[i]))
	}
	all := map[string]any{"schema": schema, "chains": chains}
	for k, v := range more {
		all[k] = v
	}
	return json.NewEncoder(out).Encode(all)
}

// A Refusal is a reason why a chain cannot run, with the number of affected threads.
type Refusal struct {
	Threads int
	Why     *curate.BuildError // of the first
}
