package strategy

import (
	"slices"

	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

// sieve keeps the calls and messages that keepCall and keepMessage accept, pair by pair.
func (j *judge) sieve(view []msg, keepCall func(m msg, c model.ToolCall, newest int) bool, keepMessage func(msg) bool) []msg {
	at := map[int]msg{}
	for _, m := range view {
		at[m.pos] = m
	}
	var out []msg
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
			if head.base.Calls != nil && !slices.Contains(head.base.Calls, c) {
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
				m.change(engine.KeepCalls{Left: left, Of: had}, "calls")
				m.base.Calls = left
			}
			out = append(out, m)
		}
	}
	return out
}

// answers returns the call of message g that message i answers, or -1.
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

func callsLeft(t *model.Thread, m msg) []int {
	if m.base.Calls != nil {
		return m.base.Calls
	}
	return make([]int, len(t.At(m.message()).Calls))
}
