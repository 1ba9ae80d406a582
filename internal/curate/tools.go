package curate

import (
	"slices"
	"strings"

	"agentlens/internal/model"
)

var keepActiveToolsSpec = Spec{
	Name:    "keep_active_tools",
	Summary: "Drops the calls and results of tools that are not listed, pair by pair.",
	Whose:   "history manager specification",
	Params:  []Param{{Name: "tools", Kind: KindList, Help: "tools kept; without it the tools offered at each call, where recorded"}},
	build: func(a args) (builtStage, error) {
		s := &keepTools{fixed: a.list("tools")}
		_, s.listed = a.call.Args["tools"]
		b := builtStage{stage: s, reasons: []string{"", "its tool is not active"}}
		if !s.listed {
			b.problem = func(*model.View) []model.Problem {
				if s.known {
					return nil
				}
				return []model.Problem{{Rule: "tools-not-recorded", Index: -1, Message: "the record does not say which tools were offered: nothing is dropped; list them: keep_active_tools([a, b])"}}
			}
		}
		return b, nil
	},
}

// keepTools drops pairs by tool name.
type keepTools struct {
	fixed  []string
	listed bool
	known  bool
	now    []string // the tools active at this call; nil: all
	calls  callMemo
}

func (s *keepTools) step(f *facts, in, out *layer) {
	active := s.fixed
	if !s.listed {
		active = s.now
		if f.call != nil && f.call.Tools != nil {
			active, s.known = f.call.Tools, true
		}
	}
	if f.number > 1 && !slices.Equal(active, s.now) {
		s.now = active
		for k := in.first(); k >= 0; k = in.next(k) {
			s.decide(f, in, out, k)
		}
	}
	s.now = active
	for _, k := range in.delta {
		s.decide(f, in, out, k)
	}
}

func (s *keepTools) active(name string) bool {
	return name == "" || s.now == nil && !s.listed || slices.Contains(s.now, name)
}

// activeResult reports whether result i stays: with its call, and one whose
// record names no call with its assistant message.
func (s *keepTools) activeResult(t *model.Thread, i int) bool {
	m := t.At(i)
	if m.CallID != "" || m.Group < 0 {
		return s.active(answeredTool(t, i))
	}
	head := t.At(int(m.Group))
	return len(head.Calls) == 0 || head.HasText() || slices.ContainsFunc(head.Calls, func(c model.ToolCall) bool { return c.Server || s.active(c.Name) })
}

func (s *keepTools) decide(f *facts, in, out *layer, k key) {
	if !in.isLive(k) || !in.isMessage(k) {
		pass(in, out, k)
		return
	}
	m := in.thread.At(in.message(k))
	switch {
	case m.Role == model.Tool && !s.activeResult(in.thread, in.message(k)):
		out.drop(k, 1)
	case m.Role == model.Assistant && len(m.Calls) > 0:
		s.decideCalls(f, in, out, k, m)
	default:
		pass(in, out, k)
	}
}

func (s *keepTools) decideCalls(f *facts, in, out *layer, k key, m *model.Message) {
	now := callsOf(f, in, k)
	left := make([]int, 0, len(now))
	for _, j := range now {
		if m.Calls[j].Server || s.active(m.Calls[j].Name) {
			left = append(left, j)
		}
	}
	switch {
	case len(left) == len(now):
		pass(in, out, k)
	case len(left) == 0 && !m.HasText():
		out.drop(k, 1)
	default:
		e := keepCalls{left: left, of: len(now), why: "their tools are not active"}
		out.put(k, s.calls.variant(f, in, k, e), 0)
	}
}

// answeredTool is the name of the tool whose call message i answers.
func answeredTool(t *model.Thread, i int) string {
	m := t.At(i)
	if m.Group >= 0 {
		calls := t.At(int(m.Group)).Calls
		for j := range calls {
			if calls[j].Result.Is(i) {
				return calls[j].Name
			}
		}
		for j := range calls { // a second result of an answered call
			if calls[j].ID == m.CallID {
				return calls[j].Name
			}
		}
	}
	return m.ToolName
}

// keepCalls leaves some of the calls of an assistant message, of those it had.
type keepCalls struct {
	left []int
	of   int
	why  string
}

func (e keepCalls) apply(c *content) { c.calls = e.left }

func (e keepCalls) guess(base variant) (tokens, runes int32) {
	return Overhead + int32(int64(base.tokens-Overhead)*int64(1+len(e.left))/int64(1+e.of)), base.runes
}

func (e keepCalls) reason() string {
	return group(e.of-len(e.left)) + " of " + group(e.of) + " calls dropped: " + e.why
}

func (e keepCalls) id(k key, base int32) string {
	var b strings.Builder
	for _, n := range append([]int{int(k), int(base)}, e.left...) {
		b.WriteString(group(n))
		b.WriteByte(' ')
	}
	return b.String()
}

// callMemo keeps the variants a stage has made by leaving calls out.
type callMemo struct{ made map[string]item }

func (m *callMemo) variant(f *facts, in *layer, k key, e keepCalls) item {
	id := e.id(k, in.items[k].variant)
	it, ok := m.made[id]
	if !ok {
		if m.made == nil {
			m.made = map[string]item{}
		}
		it = f.vars.add(in.keyspace, k, in.items[k], f.stage, e)
		m.made[id] = it
	}
	return it
}
