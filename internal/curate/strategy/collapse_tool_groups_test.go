package strategy

import (
	"slices"

	"agentlens/internal/curate/engine"
)

func collapseToolGroupsTrial() trial {
	return trial{
		plain: plainCollapseToolGroups,
		chains: []string{
			"collapse_tool_groups", "collapse_tool_groups(1)", "collapse_tool_groups(0)",
		},
		large: []string{"collapse_tool_groups"},
	}
}

func plainCollapseToolGroups(j *judge, s *plainStage, view []msg) []msg {
	keep := int(s.number("keep"))
	at := map[int]msg{}
	for _, m := range view {
		at[m.pos] = m
	}
	groups := map[int][]msg{} // live results by position of the assistant message
	for _, m := range view {
		if !m.recorded() {
			continue
		}
		g := place(int(j.thread.At(m.message()).Group))
		if head, ok := at[g]; ok && g != m.pos && len(callsLeft(j.thread, head)) > 0 {
			groups[g] = append(groups[g], m)
		}
	}
	var heads []int
	for g := range groups {
		heads = append(heads, g)
	}
	slices.Sort(heads)
	gone := map[int]bool{}
	for _, g := range heads[:max(0, len(heads)-keep)] {
		head, size, e := at[g], at[g].tokens, foldResults{}
		for _, r := range groups[g] {
			size += r.tokens
			e.results = append(e.results, folded{it: engine.Item{Tokens: r.tokens}})
		}
		if head.change(e, "fold"); head.tokens < size {
			head.base.Calls = []int{}
			at[g] = head
			for _, r := range groups[g] {
				gone[r.pos] = true
			}
		}
	}
	var out []msg
	for _, m := range view {
		if !gone[m.pos] {
			if m.recorded() {
				m = at[m.pos]
			}
			out = append(out, m)
		}
	}
	return out
}
