package output

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"agentlens/internal/cli/number"
	"agentlens/internal/export"
	"agentlens/internal/library/catalog"
	"agentlens/internal/safe"
)

// sumRow is a group in lens.stats/1. Null means unknown.
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
	CostUSD     *float64        `json:"cost_usd"`
	CostSource  *string         `json:"cost_source"`
	Unpriced    int             `json:"unpriced_calls"`
	Copies      *int            `json:"copied_calls"` // not counted again, because another file holds the same requests
	DurationS   *float64        `json:"duration_s"`
	ActiveS     *float64        `json:"active_s"`
}

func rowOf(s catalog.Sum) sumRow {
	orNull := func(n int, known bool) *int {
		if !known {
			return nil
		}
		return &n
	}
	k := s.Known
	usd, source := export.Cost(s.Cost)
	duration, active := time.Duration(-1), time.Duration(-1)
	if k.Whole {
		duration, active = s.Duration, s.Active
	}
	return sumRow{
		Name: s.Name, Runs: s.Runs, Usage: export.Used(s.Usage),
		CostUSD: usd, CostSource: source, Unpriced: s.Cost.Unpriced, DurationS: export.Seconds(duration), ActiveS: export.Seconds(active),
		Failed: orNull(s.Failed, k.Whole), Messages: orNull(s.Messages, k.Texts), Compactions: orNull(s.Compactions, k.Texts),
		Calls: orNull(s.Calls, k.Calls), Copies: orNull(s.Copies, k.Calls),
		ToolCalls: orNull(s.ToolCalls, k.Tools), ToolErrors: orNull(s.ToolErrors, k.Tools), Pending: orNull(s.Pending, k.Tools),
	}
}

// StatsJSON prints lens.stats/1.
func StatsJSON(out io.Writer, stats *catalog.Stats, by string) error {
	groups := []sumRow{}
	for _, sum := range stats.Sums() {
		groups = append(groups, rowOf(sum))
	}
	return json.NewEncoder(out).Encode(struct {
		Schema string   `json:"schema"`
		By     string   `json:"by"`
		Total  sumRow   `json:"total"`
		Groups []sumRow `json:"groups"`
	}{"lens.stats/1", by, rowOf(stats.Total()), groups})
}

// StatsText prints a row per group, with a bar for the figure by which the groups are sorted.
func StatsText(out io.Writer, stats *catalog.Stats, by string) error {
	sums := stats.Sums()
	size := func(sum *catalog.Sum) int64 { n, _ := sum.Tokens(); return n }
	most := int64(1)
	for i := range sums {
		most = max(most, size(&sums[i]))
	}
	const line = "%-28s  %6s  %6s  %8s  %7s  %9s  %7s  %7s  %8s  %10s  %s\n"
	fmt.Fprintf(out, line, strings.ToUpper(by), "RUNS", "FAILED", "MSGS", "CALLS", "TOOLCALLS", "ERRORS", "PENDING", "TOKENS", "COST", "")
	figure := func(n int, known bool) string {
		if !known {
			return "–"
		}
		return number.Group(int64(n))
	}
	row := func(name string, sum *catalog.Sum, bar string) {
		k := sum.Known
		fmt.Fprintf(out, line, number.Cut(name, 28), number.Group(int64(sum.Runs)), figure(sum.Failed, k.Whole), figure(sum.Messages, k.Texts), figure(sum.Calls, k.Calls),
			figure(sum.ToolCalls, k.Tools), figure(sum.ToolErrors, k.Tools), figure(sum.Pending, k.Tools), tokenCount(sum.Tokens()), sum.Cost.String(), bar)
	}
	for i := range sums {
		name := sums[i].Name.Line().String()
		if name == "" {
			name = "(not recorded)"
		}
		row(name, &sums[i], bar(size(&sums[i]), most))
	}
	total := stats.Total()
	row("all", &total, "")
	if total.Copies > 0 {
		fmt.Fprintf(out, "%s in other files not counted again\n", number.Count(total.Copies, "copied call"))
	}
	return nil
}
