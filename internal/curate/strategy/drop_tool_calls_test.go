package strategy

import (
	"slices"

	"agentlens/internal/model"
)

func dropToolCallsTrial() trial {
	return trial{
		plain: plainDropToolCalls,
		chains: []string{
			"drop_tool_calls", "drop_tool_calls(0)", "drop_tool_calls(3)", "drop_tool_calls(9, tools=[read, search])",
		},
		large: []string{"drop_tool_calls(20)"},
	}
}

func plainDropToolCalls(j *judge, s *plainStage, view []msg) []msg {
	tools, listed := s.given("tools")
	other := func(name string) bool { return listed && !slices.Contains(tools, name) }
	edge := 0
	if n := int(s.number("before_last")); n < len(view) {
		edge = view[len(view)-n-1].pos + 1
	}
	return j.sieve(view,
		func(_ msg, c model.ToolCall, newest int) bool { return newest >= edge || other(c.Name) },
		func(m msg) bool {
			return m.role != model.Tool || m.pos >= edge || other(j.thread.At(m.message()).ToolName)
		})
}
