package strategy

import (
	"slices"

	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

func keepActiveToolsTrial() trial {
	return trial{
		plain: plainKeepActiveTools,
		chains: []string{
			"keep_active_tools([read, bash])", "keep_active_tools([read])", "keep_active_tools([none])", "keep_active_tools([])",
		},
		large: []string{"keep_active_tools([read])"},
	}
}

func plainKeepActiveTools(j *judge, s *plainStage, view []msg) []msg {
	active := s.list("tools")
	var out []msg
	for _, m := range view {
		msg := j.thread.At(min(m.message(), j.thread.Len()-1))
		if m.recorded() && m.role == model.Tool {
			if name := j.thread.AnsweredTool(m.message()); msg.CallID != "" && name != "" && !slices.Contains(active, name) {
				continue
			}
			if msg.CallID == "" && msg.Group >= 0 {
				head, any := j.thread.At(int(msg.Group)), false
				for _, c := range head.Calls {
					any = any || slices.Contains(active, c.Name)
				}
				if len(head.Calls) > 0 && !any && !head.HasText() {
					continue
				}
			}
		}
		if m.recorded() && m.role == model.Assistant && len(msg.Calls) > 0 {
			had, left := 0, []int{}
			for i, c := range msg.Calls {
				if m.base.Calls != nil && !slices.Contains(m.base.Calls, i) {
					continue
				}
				had++
				if slices.Contains(active, c.Name) {
					left = append(left, i)
				}
			}
			if had > 0 && len(left) == 0 && !msg.HasText() {
				continue
			}
			if len(left) < had {
				m.base.Tokens, m.base.Runes = engine.KeepCalls{Left: left, Of: had}.Guess(m.base)
				m.base.Calls = left
				m.tokens = m.base.Tokens
				m.edits += "calls "
			}
		}
		out = append(out, m)
	}
	return out
}
