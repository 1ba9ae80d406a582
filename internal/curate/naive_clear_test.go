package curate

import (
	"slices"

	"agentlens/internal/model"
)

// change is what the naive form does when an edit is applied to a message.
func (m *nmsg) change(e interface {
	guess(base variant) (tokens, runes int32)
}, name string,
) {
	m.base.tokens, m.base.runes = e.guess(m.base)
	m.tokens, m.runes = m.base.tokens, m.base.runes
	m.edits += name + " "
}

func (j *judge) mask(view []nmsg, a args, st *naiveState) []nmsg {
	keep, every := int(a.number("keep")), max(1, int(a.number("every")))
	if every == 1 {
		st.masked = 0
	}
	var open []int
	for _, m := range view {
		if m.role == model.Tool && m.pos >= st.masked {
			open = append(open, m.pos)
		}
	}
	if len(open) >= keep+every {
		st.masked = open[len(open)-keep-1] + 1
	}
	out := slices.Clone(view)
	for i := range out {
		m := out[i]
		m.change(replaceText{text: a.word("placeholder")}, "mask")
		if m.role == model.Tool && m.pos < st.masked && m.tokens < out[i].tokens {
			out[i] = m
		}
	}
	return out
}

func (j *judge) thinking(view []nmsg, keep int) []nmsg {
	var out []nmsg
	for i := len(view) - 1; i >= 0; i-- {
		m := view[i]
		msg := j.thread.At(min(m.message(), j.thread.Len()-1))
		if m.recorded() && msg.HasThinking() && !m.base.noThinking {
			if keep--; keep < 0 {
				if !msg.HasText() && len(msg.Calls) == 0 && len(j.thread.Members(m.message())) < 2 {
					continue
				}
				m.change(noThinking{tokens: thinkingTokens(msg)}, "thinking")
				m.base.noThinking = true
			}
		}
		out = append(out, m)
	}
	slices.Reverse(out)
	return out
}

func (j *judge) prune(view []nmsg, a args, st *naiveState) []nmsg {
	end := 1 << 60
	skip := int(a.number("skip_turns"))
	for i := len(view) - 1; i >= 0 && skip > 0; i-- {
		if view[i].role == model.User {
			skip--
			end = view[i].pos
		}
	}
	shrunk := func(m nmsg) nmsg {
		m.change(replaceText{text: a.word("placeholder")}, "prune")
		return m
	}
	var sum, saved int64
	var now []int
	for i := len(view) - 1; i >= 0 && skip == 0; i-- {
		m := view[i]
		if m.pos >= end || m.role != model.Tool || st.cleared[m.pos] || slices.Contains(a.list("exempt"), answeredTool(j.thread, m.message())) {
			continue
		}
		if sum += int64(m.tokens); sum > a.number("protect") && shrunk(m).tokens < m.tokens {
			saved += int64(m.tokens - shrunk(m).tokens)
			now = append(now, m.pos)
		}
	}
	if saved > a.number("minimum") {
		for _, p := range now {
			st.cleared[p] = true
		}
	}
	out := slices.Clone(view)
	for i := range out {
		if m := shrunk(out[i]); st.cleared[m.pos] && m.tokens < out[i].tokens {
			out[i] = m
		}
	}
	return out
}

// sieve keeps what keepCall and keepMessage keep, pair by pair.
func (j *judge) sieve(view []nmsg, keepCall func(m nmsg, c model.ToolCall, newest int) bool, keepMessage func(nmsg) bool) []nmsg {
	at := map[int]nmsg{}
	for _, m := range view {
		at[m.pos] = m
	}
	var out []nmsg
	for _, m := range view {
		g := -1
		if m.recorded() {
			g = int(j.thread.At(m.message()).Group)
		}
		head, ok := at[place(g)]
		if g < 0 || !ok {
			if keepMessage(m) {
				out = append(out, m)
			}
			continue
		}
		msg := j.thread.At(g)
		had, left := 0, []int{}
		for c := range msg.Calls {
			if head.base.calls != nil && !slices.Contains(head.base.calls, c) {
				continue
			}
			had++
			newest := head.pos
			for pos := range at {
				if i := pos / wide; pos == place(i) && i != g && j.answers(i, g) == c {
					newest = max(newest, pos)
				}
			}
			if keepCall(head, msg.Calls[c], newest) {
				left = append(left, c)
			}
		}
		stays := len(left) > 0 || keepMessage(head) && (msg.HasText() || had == 0)
		if m.pos != head.pos {
			if c := j.answers(m.message(), g); c >= 0 && slices.Contains(left, c) || c < 0 && stays && keepMessage(m) {
				out = append(out, m)
			}
			continue
		}
		if stays {
			if len(left) < had {
				m.change(keepCalls{left: left, of: had}, "calls")
				m.base.calls = left
			}
			out = append(out, m)
		}
	}
	return out
}

// answers is the call of message g that message i answers, or -1.
func (j *judge) answers(i, g int) int {
	m, calls := j.thread.At(i), j.thread.At(g).Calls
	if m.Role != model.Tool || int(m.Group) != g {
		return -1
	}
	for c := range calls {
		if calls[c].Result.Or(-1) == i {
			return c
		}
	}
	for c := range calls {
		if m.CallID != "" && calls[c].ID == m.CallID {
			return c
		}
	}
	return -1
}
