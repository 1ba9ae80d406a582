package strategy

import (
	"slices"
)

func truncateTurnsTrial() trial {
	return trial{
		plain: plainTruncateTurns,
		chains: []string{
			"truncate_turns(0)", "truncate_turns(3)", "truncate_turns(5)", "truncate_turns(3, pin_first=true)", `truncate_turns(9) | task_steps(["*:summary"])`,
		},
		large: []string{"truncate_turns(20)"},
	}
}

func plainTruncateTurns(j *judge, s *plainStage, view []msg) []msg {
	head, rest := j.split(view)
	n, from := max(1, int(s.number("max"))), 0
	for i := len(rest) - 1; i >= 0; i-- {
		if j.head(rest[i]) == rest[i].pos {
			if n == 0 {
				from = i + 1
				break
			}
			n--
		}
	}
	kept := append(slices.Clone(head), j.since(rest, from)...)
	return slices.DeleteFunc(slices.Clone(view), func(m msg) bool {
		pinned := len(rest) > 0 && s.boolean("pin_first") && j.head(m) == j.head(rest[0])
		return !pinned && !slices.ContainsFunc(kept, func(k msg) bool { return k.pos == m.pos })
	})
}
