package flujo

import (
	"fmt"
	"strings"
)

// maxNesting bounds how deep step results and spans are followed. flujo itself
// stops at 100.
const maxNesting = 200

// A result is one entry of a step_history. A loop's entry holds the results of
// its body, of all iterations in order.
type result struct {
	name, place string
	raw         string // without what is nested in it and the snapshot
	output      string // as written
	tokens      int64  // in and out together
	cost        float64
	failed      bool
	feedback    string
	hasTokens   bool
	hasCost     bool
	complex     bool // its metadata tell of iterations: no single step
	// turns is the length of the conversation as the iteration began, common
	// how many of its leading turns are those of the final one; -1 where no
	// snapshot was kept.
	turns, common int
	iteration     int
	nested        []result
	step          *step // the node of the tree it became; nil for none
}

// steps reads the next value, a step_history, against the final conversation.
func (s *scan) steps(place string, final []turn, depth int) (list []result) {
	s.Array(func() {
		s.Peek()
		r := result{place: fmt.Sprintf("%s[%d]", place, len(list)), turns: -1, common: -1}
		var parts []string
		s.each(func(key string) { s.stepMember(&r, key, final, depth, &parts) })
		r.raw = object(parts...)
		list = append(list, r)
	})
	return list
}

func (s *scan) stepMember(r *result, key string, final []turn, depth int, parts *[]string) {
	switch {
	case key == "step_history" && depth < maxNesting:
		r.nested = s.steps(r.place+".step_history", final, depth+1)
		return // each nested result has its own text
	case key == "branch_context":
		// At the top it is the context as the run ended, no snapshot.
		if c := s.context(); depth > 0 {
			r.turns, r.common, r.iteration = len(c.turns), common(c.turns, final), c.iteration
		}
		return // a repetition of the whole context
	}
	raw := s.raw()
	*parts = append(*parts, key, raw)
	switch key {
	case "name":
		r.name = text(raw)
	case "output":
		r.output = raw
	case "token_counts":
		r.tokens, r.hasTokens = count(raw)
	case "cost_usd":
		r.cost, r.hasCost = number(raw)
	case "success":
		r.failed = raw == "false"
	case "feedback":
		r.feedback = text(raw)
	case "metadata", "metadata_":
		_, r.complex = members(raw)["iterations"]
	}
}

// common counts the leading turns that two conversations share.
func common(a, b []turn) int {
	n := 0
	for n < len(a) && n < len(b) && a[n].role == b[n].role && a[n].text == b[n].text {
		n++
	}
	return n
}

// agent reports whether r looks like an agent's answer: flujo marks nothing as
// such, but counts at most one token and no cost for everything else.
func (r *result) agent() bool {
	return len(r.nested) == 0 && !r.complex && (r.tokens > 1 || r.cost > 0)
}

// said lists the texts that flujo may have made a turn of: the output itself,
// its "question", or any text of an object that has neither question nor action.
func (r *result) said() []said {
	out := text(r.output)
	object := r.output
	if out != "" {
		object = strings.TrimSpace(out)
	}
	var list []said
	if strings.HasPrefix(object, "{") {
		question := ""
		s := newScan(object)
		s.each(func(key string) {
			t := text(s.raw())
			if key == "question" {
				question = t
			}
			if t != "" {
				list = append(list, said{text: t})
			}
		})
		if question != "" {
			return []said{{text: question}}
		}
	}
	if out != "" {
		list = append(list, said{text: out})
	}
	return list
}
