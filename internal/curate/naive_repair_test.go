package curate

import (
	"slices"

	"agentlens/internal/model"
)

func (j *judge) repair(view []nmsg, stage int) []nmsg {
	at, frontier := map[int]nmsg{}, -1
	for _, m := range view {
		at[m.pos] = m
		if m.role != model.Tool {
			frontier = m.pos
		}
	}
	var out []nmsg
	for _, m := range view {
		if m.role == model.Tool && m.recorded() && !j.answersInView(at, m) {
			continue
		}
		out = append(out, m)
		if !m.recorded() {
			continue
		}
		for c, call := range j.thread.At(m.message()).Calls {
			left := m.base.Calls == nil || slices.Contains(m.base.Calls, c)
			if left && call.ID != "" && !j.answered(at, m, c, m.pos == frontier) {
				made := nmsg{pos: (m.message()+1)*wide + stage + c, role: model.Tool}
				made.change(Replace{Text: interrupted}, "made up")
				out = append(out, made)
			}
		}
	}
	slices.SortFunc(out, func(a, b nmsg) int { return a.pos - b.pos })
	return j.merge(out)
}

// answersInView reports whether a result stands behind a message of the view that
// makes calls, its own among them where it has one.
func (j *judge) answersInView(at map[int]nmsg, m nmsg) bool {
	g := int(j.thread.At(m.message()).Group)
	head, ok := at[place(g)]
	if g < 0 || !ok || head.pos > m.pos || len(callsLeft(j.thread, head)) == 0 {
		return false
	}
	c := j.answers(m.message(), g)
	return c < 0 || head.base.Calls == nil || slices.Contains(head.base.Calls, c)
}

// answered reports whether call c of message head has a result behind it in the
// view, or one that may be: it waits, or a result there names no call. A call whose
// result stands before it neither waits nor may be answered.
func (j *judge) answered(at map[int]nmsg, head nmsg, c int, waits bool) bool {
	early := false
	for _, m := range at {
		if !m.recorded() || m.role != model.Tool || int(j.thread.At(m.message()).Group) != head.message() {
			continue
		}
		switch a := j.answers(m.message(), head.message()); {
		case a == c && m.pos > head.pos:
			return true
		case a == c:
			early = true
		case a < 0 && m.pos > head.pos:
			waits = true
		}
	}
	return waits && !early
}

func (j *judge) merge(view []nmsg) []nmsg {
	var out []nmsg
	for _, m := range view {
		n := len(out) - 1
		if n < 0 || m.role != out[n].role || m.role != model.User && m.role != model.Assistant || !j.plain(m, true) || !j.plain(out[n], false) {
			out = append(out, m)
			continue
		}
		out[n].base.Tokens += max(0, m.tokens-Overhead) + 1
		out[n].base.Runes += m.runes + 2
		out[n].tokens, out[n].runes = out[n].base.Tokens, out[n].base.Runes
	}
	return out
}

// plain reports whether a message makes no calls and, where it is to have nothing
// but text, has no thinking.
func (j *judge) plain(m nmsg, text bool) bool {
	if !m.recorded() {
		return true
	}
	msg := j.thread.At(m.message())
	if len(msg.Calls) > 0 && (m.base.Calls == nil || len(m.base.Calls) > 0) {
		return false
	}
	return !text || !msg.HasThinking() || m.base.NoThinking
}
