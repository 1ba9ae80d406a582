package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"agentlens/internal/export"
	"agentlens/internal/library/catalog"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
)

type statsFlags struct {
	pickFlags
	by   string
	json bool
}

func (a *app) stats() *cobra.Command {
	var f statsFlags
	cmd := &cobra.Command{
		Use:   "stats [source…]",
		Short: "Sums over runs: tokens, cost, failures, by model, tool, day, …",
		Long: `Add up the runs of this machine, or of the sources named: how many, their
messages, calls, tokens and recorded cost, failed tool calls, pending calls and
compactions. Tokens are prompts (cached ones included) and replies, as recorded;
a record that tells none adds none. By model and by tool a run counts with that part
of it alone: what is told only of whole runs is – there.

  lens stats --by model --since 7d
  lens stats ~/traces --by tool`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.runStats(cmd.Context(), args, f) },
	}
	f.add(cmd)
	cmd.Flags().StringVar(&f.by, "by", "format", "sum by: "+strings.Join(catalog.Groups(), ", "))
	cmd.Flags().BoolVar(&f.json, "json", false, "print lens.stats/1")
	return cmd
}

func (a *app) runStats(ctx context.Context, args []string, f statsFlags) error {
	if !slices.Contains(catalog.Groups(), f.by) {
		return usageError{fmt.Sprintf("--by %s: want %s", f.by, strings.Join(catalog.Groups(), ", "))}
	}
	want, err := f.filter()
	if err != nil {
		return err
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	chosen, err := a.choose(ctx, args)
	if err != nil {
		return err
	}
	s, seen := catalog.NewStats(f.by, g), 0
	err = a.scan(ctx, g, chosen, &f.pickFlags, a.err, func(row catalog.Row) error {
		seen++
		if want.Wants(&row) {
			s.Add(&row)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if f.json {
		return a.statsJSON(s, f.by)
	}
	if s.Total.Runs == 0 {
		return nothing(seen, "stats")
	}
	return a.statsText(s, f.by)
}

// sumRow is a group of lens.stats/1; null is not known.
type sumRow struct {
	Name        safe.SafeJSON   `json:"name"`
	Runs        int             `json:"runs"`
	Failed      *int            `json:"failed"`
	Messages    *int            `json:"messages"`
	Calls       *int            `json:"calls"`
	ToolCalls   *int            `json:"tool_calls"`
	ToolErrors  *int            `json:"tool_errors"`
	Pending     *int            `json:"pending_calls"`
	Compactions *int            `json:"compactions"`
	Usage       export.UsageRow `json:"usage"`
}

func rowOf(s catalog.Sum) sumRow {
	told := func(n int, known bool) *int {
		if !known {
			return nil
		}
		return &n
	}
	k := s.Known
	return sumRow{
		Name: s.Name, Runs: s.Runs, Usage: export.Used(s.Usage),
		Failed: told(s.Failed, k.Whole), Messages: told(s.Messages, k.Whole), Compactions: told(s.Compactions, k.Whole),
		Calls:     told(s.Calls, k.Calls),
		ToolCalls: told(s.ToolCalls, k.Tools), ToolErrors: told(s.ToolErrors, k.Tools), Pending: told(s.Pending, k.Tools),
	}
}

func (a *app) statsJSON(s *catalog.Stats, by string) error {
	groups := []sumRow{}
	for _, sum := range s.Sums() {
		groups = append(groups, rowOf(sum))
	}
	return json.NewEncoder(a.out).Encode(struct {
		Schema string   `json:"schema"`
		By     string   `json:"by"`
		Total  sumRow   `json:"total"`
		Groups []sumRow `json:"groups"`
	}{"lens.stats/1", by, rowOf(s.Total), groups})
}

// statsText prints the groups with a bar of what they are sorted by.
func (a *app) statsText(s *catalog.Stats, by string) error {
	sums := s.Sums()
	size := func(sum *catalog.Sum) int64 { n, _ := sum.Tokens(); return n }
	if by == "tool" {
		size = func(sum *catalog.Sum) int64 { return int64(sum.ToolCalls) }
	}
	most := int64(1)
	for i := range sums {
		most = max(most, size(&sums[i]))
	}
	const line = "%-28s  %6s  %6s  %8s  %7s  %9s  %7s  %7s  %8s  %9s  %s\n"
	fmt.Fprintf(a.out, line, strings.ToUpper(by), "RUNS", "FAILED", "MSGS", "CALLS", "TOOLCALLS", "ERRORS", "PENDING", "TOKENS", "COST", "")
	figure := func(n int, known bool) string {
		if !known {
			return "–"
		}
		return comma(int64(n))
	}
	row := func(name string, sum *catalog.Sum, bar string) {
		k := sum.Known
		fmt.Fprintf(a.out, line, cut(name, 28), comma(int64(sum.Runs)), figure(sum.Failed, k.Whole), figure(sum.Messages, k.Whole), figure(sum.Calls, k.Calls),
			figure(sum.ToolCalls, k.Tools), figure(sum.ToolErrors, k.Tools), figure(sum.Pending, k.Tools), tokensOf(sum.Tokens()), catalog.Cost(sum.Usage), bar)
	}
	for i := range sums {
		name := sums[i].Name.Line().String()
		if name == "" {
			name = "(not recorded)"
		}
		row(name, &sums[i], bar(size(&sums[i]), most))
	}
	if by != "model" && by != "tool" {
		row("all", &s.Total, "")
	}
	return nil
}

// barCells is the length of the longest bar.
const barCells = 20

// bar draws n as a part of most, in eighths of a cell; anything above nothing shows.
func bar(n, most int64) string {
	eighths := int(n * barCells * 8 / most)
	if n > 0 {
		eighths = max(eighths, 1)
	}
	b := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		b += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return b
}
