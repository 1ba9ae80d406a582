package strategy

import (
	"fmt"
	"slices"
	"testing"

	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

func tokenBudgetTrial() trial {
	return trial{
		plain: plainTokenBudget,
		chains: []string{
			"token_budget(0)", "token_budget(80)", "token_budget(120)", "token_budget(400)", "token_budget(900, start_on=user)", "token_budget(500, fit=best)", "token_budget(60, fit=best)", "token_budget(90, fit=best)", "token_budget(400, partial=true)", "token_budget(100, partial=true)", "token_budget(300, partial=true, start_on=user)", "token_budget(500, tokens=chars/4)", "token_budget(700, start_on=user, tokens=chars/2.5)",
		},
		large: []string{"token_budget(100k)", "token_budget(100k, fit=best)", "token_budget(100k, partial=true)"},
	}
}

func plainTokenBudget(j *judge, s *plainStage, view []msg) []msg {
	head, rest := j.split(view)
	limit := s.number("max")
	for _, m := range head {
		limit -= int64(m.tokens)
	}
	if s.word("fit") == "best" {
		return j.bestFit(head, rest, limit)
	}
	user := s.word("start_on") == "user"
	if s.boolean("partial") {
		if out := j.partial(head, rest, limit, user); out != nil {
			return out
		}
	}
	return j.budget(head, rest, limit, false, false, user)
}

// weights returns the tokens of each unit by its head, and the heads in order.
func (j *judge) weights(rest []msg) (map[int]int64, []int) {
	weight := map[int]int64{}
	var heads []int
	for _, m := range rest {
		h := j.head(m)
		if _, ok := weight[h]; !ok {
			heads = append(heads, h)
		}
		weight[h] += int64(m.tokens)
	}
	slices.Sort(heads)
	return weight, heads
}

func (j *judge) bestFit(head, rest []msg, limit int64) []msg {
	weight, heads := j.weights(rest)
	keep := map[int]bool{}
	for _, h := range slices.Backward(heads) {
		if weight[h] <= limit {
			keep[h] = true
			limit -= weight[h]
		}
	}
	out := slices.Clone(head)
	for _, m := range rest {
		if keep[j.head(m)] {
			out = append(out, m)
		}
	}
	return out
}

// partial returns the view with the newest text that does not fit shortened, or nil if no
// text can be shortened.
func (j *judge) partial(head, rest []msg, limit int64, user bool) []msg {
	weight, heads := j.weights(rest)
	i := len(heads)
	for i > 0 && weight[heads[i-1]] <= limit {
		i--
		limit -= weight[heads[i]]
	}
	if i == 0 || limit <= engine.Overhead {
		return nil
	}
	var unit []msg
	for _, m := range rest {
		if j.head(m) == heads[i-1] {
			unit = append(unit, m)
		}
	}
	m := unit[0]
	if len(unit) > 1 || m.pos != heads[i-1] || m.role == model.Tool || !j.plain(m, true) || user && m.role != model.User {
		return nil
	}
	m.change(lastLines{room: int32(limit)}, "cut")
	out := append(slices.Clone(head), m)
	for _, m := range rest {
		if j.head(m) > heads[i-1] {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b msg) int { return a.pos - b.pos })
	return out
}

// TestTokenBudget checks which messages of a small history fit. A message with a text of
// four letters has one token plus its frame.
func TestTokenBudget(t *testing.T) {
	run, thread, sizes := said(t, "s abcd", "u aaaa\nbbbb\ncccc", "a dddd\neeee\nffff\ngggg\nhhhh\niiii\njjjj", "u kkkk")
	in := engine.Input{Run: run, Thread: thread, Sizes: sizes}
	system, long, short := int(sizes.Tokens[0]), int(sizes.Tokens[2]), int(sizes.Tokens[1])
	newest := int(sizes.Tokens[3])
	for _, tc := range []struct {
		budget int
		params string
		want   string
	}{
		{system + newest, "", "0 system abcd | 3 user kkkk"},
		{system + newest + short, "", "0 system abcd | 3 user kkkk"},
		{system + newest + short, ", fit=best", "0 system abcd | 1 user aaaa\nbbbb\ncccc | 3 user kkkk"},
		{system + newest + long - 1, ", partial=true", "0 system abcd | 2 assistant eeee\nffff\ngggg\nhhhh\niiii\njjjj | 3 user kkkk"},
		{system + newest + long - 1, ", partial=true, start_on=user", "0 system abcd | 3 user kkkk"},
		{system + newest + long + short - 1, ", partial=true, start_on=user", "0 system abcd | 1 user bbbb\ncccc | 2 assistant dddd\neeee\nffff\ngggg\nhhhh\niiii\njjjj | 3 user kkkk"},
		{system + newest + 1, ", partial=true", "0 system abcd | 3 user kkkk"},
		{system - 1, ", fit=best", "0 system abcd"},
	} {
		chain := "token_budget(" + fmt.Sprint(tc.budget) + tc.params + ")"
		v := views(t, in, chain).View(2)
		if got := kept(t, run, thread, v); got != tc.want {
			t.Errorf("%s: %q, want %q", chain, got, tc.want)
		}
		if v.Curated.Tokens > int64(max(tc.budget, system)) {
			t.Errorf("%s: the view has %d tokens", chain, v.Curated.Tokens)
		}
	}
}
