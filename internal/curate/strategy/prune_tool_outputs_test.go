package strategy

import (
	"slices"

	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

func pruneToolOutputsTrial() trial {
	return trial{
		plain: plainPruneToolOutputs,
		chains: []string{
			"prune_tool_outputs(100, minimum=60)", "prune_tool_outputs(20, minimum=5, skip_turns=1)", "prune_tool_outputs(0, minimum=0, skip_turns=0)", "prune_tool_outputs(200, minimum=10, skip_turns=1, exempt=[bash])",
		},
		large: []string{"prune_tool_outputs"},
	}
}

func plainPruneToolOutputs(j *judge, s *plainStage, view []msg) []msg {
	end := 1 << 60
	skip := int(s.number("skip_turns"))
	for i := len(view) - 1; i >= 0 && skip > 0; i-- {
		if view[i].role == model.User {
			skip--
			end = view[i].pos
		}
	}
	shrunk := func(m msg) msg {
		m.change(engine.Replace{Text: s.word("placeholder")}, "prune")
		return m
	}
	var sum, saved int64
	var now []int
	for i := len(view) - 1; i >= 0 && skip == 0; i-- {
		m := view[i]
		if m.pos >= end || m.role != model.Tool || s.cleared[m.pos] || slices.Contains(s.list("exempt"), j.thread.AnsweredTool(m.message())) {
			continue
		}
		if sum += int64(m.tokens); sum > s.number("protect") && shrunk(m).tokens < m.tokens {
			saved += int64(m.tokens - shrunk(m).tokens)
			now = append(now, m.pos)
		}
	}
	if saved > s.number("minimum") {
		for _, p := range now {
			s.cleared[p] = true
		}
	}
	out := slices.Clone(view)
	for i := range out {
		if m := shrunk(out[i]); s.cleared[m.pos] && m.tokens < out[i].tokens {
			out[i] = m
		}
	}
	return out
}
