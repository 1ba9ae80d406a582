package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/ui/timeline"
)

// largestListed is how many of the largest messages are named.
const largestListed = 5

// A filling says what a list of messages is made of: tokens by kind, and the largest.
type filling struct {
	thread *model.Thread
	count  [timeline.Kinds]int
	tokens [timeline.Kinds]int64
	all    []sizedMessage
}

// sizedMessage is a message of the thread, or -1 for an added one, with its tokens.
type sizedMessage struct {
	index  int32
	role   model.Role
	tokens int64
}

// add counts a message; index is -1 for one that a stage or the harness put in.
func (f *filling) add(index int32, role model.Role, tokens int64) {
	kind := int(role)
	if index >= 0 && f.thread.At(int(index)).Badges.Has(model.Injected) {
		kind = kindInjected
	}
	f.count[kind]++
	f.tokens[kind] += tokens
	f.all = append(f.all, sizedMessage{index, role, tokens})
}

// fillingOf is what a view sends.
func fillingOf(s *shown) *filling {
	f := &filling{thread: s.thread}
	for _, e := range sentOf(s.view) {
		f.add(e.Index, e.Role, int64(e.Tokens))
	}
	return f
}

// tally is how many messages there are, and their tokens.
func (f *filling) tally() model.Tally {
	t := model.Tally{Messages: len(f.all)}
	for _, n := range f.tokens {
		t.Tokens += n
	}
	return t
}

// kinds lists the kinds by size: "tool 45.1k (83%) · user 5.0k (9%)".
func (f *filling) kinds(exact bool) string {
	total := f.tally().Tokens
	order := make([]int, 0, len(f.count))
	for k := range f.count {
		if f.count[k] > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.tokens[b], f.tokens[a]) })
	var parts []string
	for _, k := range order {
		part := string(kindNames[k]+" "+about(f.tokens[k], exact)) + " in " + strconv.Itoa(f.count[k])
		if total > 0 {
			part += " (" + strconv.FormatInt((f.tokens[k]*100+total/2)/total, 10) + "%)"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " · ")
}

// largest names the largest messages: "72 tool Bash 14.4k · 61 tool Bash 9.8k".
func (f *filling) largest(exact bool) string {
	list := slices.Clone(f.all)
	slices.SortStableFunc(list, func(a, b sizedMessage) int { return cmp.Compare(b.tokens, a.tokens) })
	var parts []string
	for _, m := range list[:min(len(list), largestListed)] {
		name := "added"
		if m.index >= 0 {
			name = strconv.Itoa(int(m.index))
		}
		name += " " + m.role.String()
		if m.index >= 0 && f.thread.At(int(m.index)).ToolName != "" {
			name += " " + f.thread.At(int(m.index)).ToolName
		}
		parts = append(parts, name+" "+string(about(m.tokens, exact)))
	}
	return strings.Join(parts, " · ")
}
