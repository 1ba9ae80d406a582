package safe

import (
	"strings"

	"agentlens/internal/redact"
)

// Ahead is what [Gate.LookAhead] found in a text.
type Ahead struct {
	spans []redact.Span
	known int // number of known values at that time
}

// LookAhead prepares [Gate.Parts] for a text that the gate has learned. It numbers and learns nothing, so that texts can be
// prepared in any order. ok is false for a text that is short, holds invisible characters or needs more than one search.
func (g *Gate) LookAhead(original string) (a Ahead, ok bool) {
	if !g.uncached(original) {
		return a, false
	}
	a.known = g.redactor.Known().Count()
	a.spans, ok = g.redactor.Recall(original)
	if !ok {
		return a, false
	}
	for part := range between(original, a.spans) {
		if visible(part) != part {
			return a, false
		}
	}
	return a, len(a.spans) == 0 || isSettled(original, a.spans, g.redactor.Hides)
}

// between yields the parts of a text before, between and after spans.
func between(text string, spans []redact.Span) func(yield func(part string) bool) {
	return func(yield func(part string) bool) {
		from := 0
		for _, s := range spans {
			if !yield(text[from:s.Start]) {
				return
			}
			from = s.End
		}
		yield(text[from:])
	}
}

// Parts appends the parts of [Gate.CopyText] to a list, by turns a part of the original, which may be empty, and a mask. ok
// is false if more values became known after the text was looked at.
func (g *Gate) Parts(list []Safe, original string, a Ahead) (parts []Safe, ok bool) {
	if a.known != g.redactor.Known().Count() {
		return list, false
	}
	var out outcome
	n := 0
	for part := range between(original, a.spans) {
		list = append(list, Safe{part})
		if n < len(a.spans) {
			s := a.spans[n]
			list = append(list, Safe{g.placeholder(secretOf(original, s), s.Rule, &out)})
		}
		n++
	}
	g.count(out.hits)
	return list, true
}

// Whole returns the text that consists of some parts. It shares none of their memory.
func Whole(parts []Safe) Safe {
	n := 0
	for _, p := range parts {
		n += len(p.s)
	}
	var b strings.Builder
	b.Grow(n)
	for _, p := range parts {
		b.WriteString(p.s)
	}
	return Safe{b.String()}
}
