package curate

import (
	"strings"

	"agentlens/internal/model"
)

// endsWord is the source of summaries that is flujo's.
const endsWord = "ends"

// endsMark stands for the texts between the first and the last, as flujo writes it.
const endsMark = "... (summarized) ..."

// ends is the summary flujo makes without a model: the texts joined when there
// are one or two, else the first and the last of them.
type ends struct {
	vars        *variants
	space       *keyspace
	first, last key // -1: there is none
	firstItem   item
	lastItem    item
	more        bool // texts between the two
}

// newEnds summarises the texts of in before end; texts holds those that say something.
func newEnds(f *facts, in *layer, texts *bitset, end key) ends {
	e := ends{vars: f.vars, space: in.keyspace, first: texts.next(in.head()), last: -1}
	if e.first < 0 || e.first >= end {
		e.first = -1
		return e
	}
	e.firstItem = in.items[e.first]
	if k := texts.prev(end - 1); k > e.first {
		e.last, e.lastItem = k, in.items[k]
		e.more = texts.prev(k-1) > e.first
	}
	return e
}

// hasText reports whether the message at k says something of its own: a result of
// a tool does not.
func hasText(l *layer, k key) bool {
	return l.role(k) != model.Tool && (!l.isMessage(k) || l.thread.At(l.message(k)).HasText())
}

func (e ends) apply(c *content) {
	var lines []string
	add := func(k key, it item) {
		if k >= 0 {
			lines = append(lines, e.space.role(k).String()+": "+e.vars.text(e.space, k, it))
		}
	}
	add(e.first, e.firstItem)
	if e.more {
		lines = append(lines, endsMark)
	}
	add(e.last, e.lastItem)
	c.text = []model.Piece{}
	if text := strings.Join(lines, " \n"); text != "" {
		c.text = []model.Piece{{Insert: text}}
	}
}

func (e ends) guess(variant) (tokens, runes int32) {
	tokens = Overhead + int32(b2i(e.more))*6
	for _, it := range []item{e.firstItem, e.lastItem} {
		if it.live {
			tokens += it.tokens
		}
	}
	return tokens, 4 * min(tokens, 1<<28)
}

func (e ends) reason() string { return "summary of the texts before: the first and the last, no model" }
