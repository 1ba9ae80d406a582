package strategy

import (
	"slices"

	"agentlens/internal/model"
)

func filterTrial() trial {
	return trial{
		plain: plainFilter,
		chains: []string{
			"filter", "filter([user, assistant])", "filter([tool])", "filter(names=[read])", "filter([user, tool, system])", "filter(ids=[m2, m5, m7, m20, m21])",
		},
		large: []string{"filter([user, assistant])"},
	}
}

func plainFilter(j *judge, s *plainStage, view []msg) []msg {
	ok := func(list, word string) bool {
		words, given := s.given(list)
		return !given || slices.Contains(words, word)
	}
	head, rest := j.splitSystem(view)
	kept := j.sieve(rest,
		func(m msg, c model.ToolCall, _ int) bool {
			result := c.Result.Known() && ok("ids", j.thread.At(c.Result.Or(0)).ID)
			return ok("roles", "assistant") && ok("roles", "tool") && ok("names", c.Name) && (ok("ids", j.thread.At(m.message()).ID) || result)
		},
		func(m msg) bool {
			if !m.recorded() {
				return ok("roles", m.role.String())
			}
			msg := j.thread.At(m.message())
			return ok("roles", m.role.String()) && ok("ids", msg.ID) && (m.role != model.Tool || ok("names", msg.ToolName))
		})
	return append(slices.Clone(head), kept...)
}
