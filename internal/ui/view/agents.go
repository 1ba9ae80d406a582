package view

import (
	"strings"

	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
)

// agents returns the threads below the shown one whose ids a result names: the sub-agents that a
// call started.
func (r *Reader) agents(text string) (names []safe.Safe) {
	if r.Thread == nil {
		return nil
	}
	head := kit.CutText(text, 64<<10)
	for _, t := range r.Run.Threads {
		if t != r.Thread && len(t.ID) >= 6 && strings.Contains(head, strings.TrimPrefix(t.ID, "agent-")) {
			names = append(names, r.Line(strings.TrimSpace("thread "+ShortID(t.ID)+" "+t.Title)))
		}
	}
	return names
}
