package score

import (
	"fmt"
	"slices"
	"strings"
)

// Grid returns the chains to try for a token budget: common strategies, alone and in pairs,
// with parameters from mild to harsh.
func Grid(budget int64) []string {
	share := func(percent int64) int64 { return max(1, budget*percent/100) }
	families := [][]string{
		each("truncate_tool_results(%d)", 500, 1000, 2000, 4000, 8000),
		each("sliding_window(%d)", 10, 20, 40, 80, 160),
		each("last_turns(%d)", 2, 5, 10, 20),
		each("token_budget(%d)", share(25), share(50), share(75), share(100)),
		each("mask_observations(%d)", 3, 5, 10, 20),
		each("mask_observations(%d, every=8)", 3, 10),
		each("prune_tool_outputs(%[1]d, minimum=%[1]d)", share(10), share(25), share(50)),
		each("collapse_tool_groups(%d)", 2, 4, 8, 16),
		each("drop_tool_calls(%d)", 10, 20, 40),
	}
	for _, keep := range []int64{1, 3, 6, 12} {
		families = append(families, each("clear_tool_uses(%d, keep="+fmt.Sprint(keep)+")", share(25), share(50), share(80)))
	}
	for _, keep := range []string{"10", "20", "40", "30%%"} {
		families = append(families, each("compact(%d, keep="+keep+", summary=extractive)", share(50), share(80)))
	}
	var grid []string
	for _, f := range families {
		grid = append(grid, f...)
	}
	last := fmt.Sprintf(" | token_budget(%d)", budget)
	for _, cut := range []string{"truncate_tool_results(500)", "truncate_tool_results(2000)", "truncate_tool_results(8000)", "clear_tool_uses(%d, keep=3)", "mask_observations(5, every=8)", "mask_observations(10)"} {
		if strings.Contains(cut, "%d") {
			cut = fmt.Sprintf(cut, share(60))
		}
		grid = append(grid, cut+last, cut+fmt.Sprintf(" | compact(%d, keep=20, summary=extractive)", share(80)))
	}
	return append(grid, "passthrough")
}

func each(pattern string, values ...int64) []string {
	var list []string
	for _, v := range values {
		list = append(list, fmt.Sprintf(pattern, v))
	}
	return list
}

// Front returns the indices of the scores not beaten by any other, ordered by tokens sent.
// A score is beaten by one that sends no more and loses less, or sends fewer and loses no
// more. Scores without evidence of loss are excluded.
func Front(scores []Score) []int {
	order := make([]int, 0, len(scores))
	for i := range scores {
		if _, known := scores[i].Loss.Share(); known {
			order = append(order, i)
		}
	}
	loss := func(i int) float64 {
		l, _ := scores[i].Loss.Share()
		return l
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case scores[i].Sent != scores[j].Sent:
			return int(max(-1, min(1, scores[i].Sent-scores[j].Sent)))
		case loss(i) < loss(j):
			return -1
		case loss(i) > loss(j):
			return 1
		}
		return 0
	})
	var front []int
	least := 2.0
	for _, i := range order {
		if l := loss(i); l < least {
			front, least = append(front, i), l
		}
	}
	return front
}
