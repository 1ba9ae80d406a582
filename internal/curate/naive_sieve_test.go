package curate

import (
	"slices"

	"agentlens/internal/model"
)

func (j *judge) filter(view []nmsg, call Call) []nmsg {
	lists := map[string][]string{}
	for name, v := range call.Args {
		lists[name] = v.List
	}
	ok := func(list, word string) bool {
		_, given := call.Args[list]
		return !given || slices.Contains(lists[list], word)
	}
	head, rest := j.split(view, true)
	kept := j.sieve(rest,
		func(m nmsg, c model.ToolCall, _ int) bool {
			result := c.Result.Known() && ok("ids", j.thread.At(c.Result.Or(0)).ID)
			return ok("roles", "assistant") && ok("roles", "tool") && ok("names", c.Name) && (ok("ids", j.thread.At(m.message()).ID) || result)
		},
		func(m nmsg) bool {
			if !m.recorded() {
				return ok("roles", m.role.String())
			}
			msg := j.thread.At(m.message())
			return ok("roles", m.role.String()) && ok("ids", msg.ID) && (m.role != model.Tool || ok("names", msg.ToolName))
		})
	return append(slices.Clone(head), kept...)
}

func (j *judge) keepText(view []nmsg) []nmsg {
	return j.sieve(view,
		func(nmsg, model.ToolCall, int) bool { return false },
		func(m nmsg) bool {
			if m.role == model.System || !m.recorded() {
				return true
			}
			return m.role != model.Tool && j.thread.At(m.message()).HasText()
		})
}

func (j *judge) headTail(head, rest []nmsg, lead, tail int) []nmsg {
	if len(rest) <= tail {
		return append(slices.Clone(head), rest...)
	}
	from, end := len(rest)-tail, -1
	if lead > 0 {
		end = rest[min(lead, len(rest))-1].pos
	}
	out := slices.Clone(head)
	for i, m := range rest {
		if h := j.head(m); h <= end || i >= from && h > rest[from-1].pos || tail > 0 && h == j.head(rest[len(rest)-1]) {
			out = append(out, m)
		}
	}
	return out
}

func (j *judge) collapse(view []nmsg, keep int) []nmsg {
	at := map[int]nmsg{}
	for _, m := range view {
		at[m.pos] = m
	}
	groups := map[int][]nmsg{} // by position of the assistant message, its live results
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
			e.results = append(e.results, folded{it: item{tokens: r.tokens}})
		}
		if head.change(e, "fold"); head.tokens < size {
			head.base.calls = []int{}
			at[g] = head
			for _, r := range groups[g] {
				gone[r.pos] = true
			}
		}
	}
	var out []nmsg
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

func callsLeft(t *model.Thread, m nmsg) []int {
	if m.base.calls != nil {
		return m.base.calls
	}
	return make([]int, len(t.At(m.message()).Calls))
}
