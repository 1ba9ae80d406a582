package strategy

import (
	"slices"

	"agentlens/internal/model"
)

func lastTurnsTrial() trial {
	return trial{
		plain: plainLastTurns,
		chains: []string{
			"last_turns(0)", "last_turns(2)", "last_turns(50)",
		},
		large: []string{"last_turns(10)"},
	}
}

func plainLastTurns(j *judge, s *plainStage, view []msg) []msg {
	head, rest := j.split(view)
	n, from := int(s.number("n")), -1
	users := 0
	for i := len(rest) - 1; i >= 0; i-- {
		if rest[i].role == model.User {
			if users++; users > n {
				break
			}
			from = i
		}
	}
	if users <= n {
		return view
	}
	if from < 0 {
		from = len(rest)
		// if n is 0, the window is empty and starts after the last user message
		for i := range rest {
			if rest[i].role == model.User {
				from = i + 1
			}
		}
	}
	return append(slices.Clone(head), j.since(rest, from)...)
}
