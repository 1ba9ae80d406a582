package strategy

import (
	"slices"

	"agentlens/internal/model"
)

func truncateTokensTrial() trial {
	return trial{
		plain: plainTruncateTokens,
		chains: []string{
			"truncate_tokens(1)", "truncate_tokens(60)", "truncate_tokens(300)", "truncate_tokens(300, pin_first=true)", "truncate_tokens(400, tokens=chars/2.5)",
		},
		large: []string{"truncate_tokens(20k)", "truncate_tokens(20k, pin_first=true)"},
	}
}

func plainTruncateTokens(j *judge, s *plainStage, view []msg) []msg {
	head, rest := j.split(view)
	return j.budget(head, rest, max(1, s.number("max")), true, s.boolean("pin_first"), false)
}

func (j *judge) budget(head, rest []msg, limit int64, newest, pinFirst, user bool) []msg {
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
	from, sum := len(heads), int64(0)
	for i := len(heads) - 1; i >= 0; i-- {
		sum += weight[heads[i]]
		if sum > limit && !(newest && i == len(heads)-1) {
			break
		}
		from = i
	}
	start := 0
	if from > 0 {
		start = heads[from-1] + 1
		if user {
			for i, m := range rest {
				if m.pos >= start && m.role == model.User {
					if i > 0 { // a group that begins with a message outside the view stays
						start = max(start, rest[i-1].pos+1)
					}
					break
				}
			}
		}
	}
	out := slices.Clone(head)
	for _, m := range rest {
		if j.head(m) >= start || pinFirst && j.head(m) == j.head(rest[0]) {
			out = append(out, m)
		}
	}
	return out
}
