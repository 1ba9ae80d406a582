package curate

import (
	"slices"

	"agentlens/internal/model"
)

// weights are the tokens of each unit, by its head, and the heads in order.
func (j *judge) weights(rest []nmsg) (map[int]int64, []int) {
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

func (j *judge) bestFit(head, rest []nmsg, limit int64) []nmsg {
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

// partial is the budget with the text before the first that fits cut; nil when
// there is none that can be.
func (j *judge) partial(head, rest []nmsg, limit int64, user bool) []nmsg {
	weight, heads := j.weights(rest)
	i := len(heads)
	for i > 0 && weight[heads[i-1]] <= limit {
		i--
		limit -= weight[heads[i]]
	}
	if i == 0 || limit <= Overhead {
		return nil
	}
	var unit []nmsg
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
	slices.SortFunc(out, func(a, b nmsg) int { return a.pos - b.pos })
	return out
}
