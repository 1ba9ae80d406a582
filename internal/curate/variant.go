package curate

import (
	"agentlens/internal/model"
)

// An edit is what a stage does to the content of one message. It is applied
// only when a view is looked at; until then its effect is two numbers.
type edit interface {
	apply(c *content)
	reason() string
}

// A guesser is an edit that says what it makes of a size where no text is read.
type guesser interface {
	guess(base variant) (tokens, runes int32)
}

// A standIn is an edit whose size is a guess even where texts are read.
type standIn interface {
	guesser
	standsIn()
}

// A variant is a content a message has in some view: an edit of another one.
// Variant 0 is the content as recorded.
type variant struct {
	edit   edit
	stage  int8
	base   int32
	tokens int32
	runes  int32 // code points of the text
	calls  []int // the calls left of an assistant message; nil: all
	// noThinking says that its thinking was left out.
	noThinking bool
	guessed    bool // its size is a guess, though texts are read
	known      *content
}

// content is a message in a view while edits are applied to it.
type content struct {
	original string
	text     []model.Piece
	calls    []int // nil: all
	// all the calls of the recorded message
	recorded              []model.ToolCall
	noThinking, emptyArgs bool
	reason                string // of the last edit
}

// variants holds the contents of one replay.
type variants struct {
	list []variant
	size sizer
	mask Mask
	// unmasked says that programs are given texts as they are.
	unmasked bool
}

// add makes a variant of what is at key k and returns the item that has it.
func (v *variants) add(space *keyspace, k key, from item, stage int, e edit) item {
	base := v.list[from.variant]
	if from.variant == 0 && space.isMessage(k) {
		i := space.message(k)
		base.tokens, base.runes = v.size.tokens(i), v.size.runes(i)
	}
	made := variant{edit: e, stage: int8(stage), base: from.variant, calls: base.calls, noThinking: base.noThinking, guessed: base.guessed}
	switch e := e.(type) {
	case keepCalls:
		made.calls = e.left
	case foldResults:
		made.calls = e.left
	case noThinking:
		made.noThinking = true
	}
	if s, ok := e.(standIn); ok {
		made.guessed = true
		made.tokens, made.runes = s.guess(base)
	} else {
		made.tokens, made.runes = v.measure(space, k, base, &made)
	}
	v.list = append(v.list, made)
	return item{tokens: made.tokens, variant: int32(len(v.list) - 1), live: true}
}

// text is the text of it; it needs texts that may be read.
func (v *variants) text(space *keyspace, k key, it item) string {
	c := v.resolve(space, k, v.list[it.variant])
	return model.Join(c.original, c.text)
}

// runes is the length of the text of it in code points.
func (v *variants) runes(space *keyspace, k key, it item) int32 {
	if it.variant == 0 {
		return v.size.runes(space.message(k))
	}
	return v.list[it.variant].runes
}

// sized is the size of a variant by the sizer at hand.
func (v *variants) sized(space *keyspace, k key, id int32) int32 {
	made := v.list[id]
	if per := v.size.sizes.perToken; per > 0 {
		return byLength(space.role(k), made.runes, per)
	}
	base := v.list[made.base]
	if made.base == 0 && space.isMessage(k) {
		i := space.message(k)
		base.tokens, base.runes = v.size.tokens(i), v.size.runes(i)
	}
	tokens, _ := v.measure(space, k, base, &made)
	return tokens
}

// measure counts a variant: from its text where texts may be read, else from
// what its edit says of its size.
func (v *variants) measure(space *keyspace, k key, base variant, made *variant) (tokens, runes int32) {
	if v.size.read {
		c := v.resolve(space, k, *made)
		made.keep(c)
		return v.size.count(space, k, &c)
	}
	if s, ok := made.edit.(guesser); ok {
		base.tokens, base.runes = s.guess(base)
	}
	if per := v.size.sizes.perToken; per > 0 {
		base.tokens = byLength(space.role(k), base.runes, per)
	}
	return base.tokens, base.runes
}

// keep holds on to what a variant was found to be, so that a view of many need not
// read their texts. Summaries and what is made of whole texts are made again:
// there may be one at every call.
func (made *variant) keep(c content) {
	switch made.edit.(type) {
	case *extract, ends, standIn:
		return
	}
	c.original = ""
	c.reason = made.edit.reason()
	made.known = &c
}

// shown is the content of variant i of the message at k. It may not be called by
// two at once.
func (v *variants) shown(space *keyspace, k key, i int32) content {
	made := &v.list[i]
	if made.known == nil {
		c := v.resolve(space, k, *made)
		if made.keep(c); made.known == nil {
			c.reason = made.edit.reason()
			return c
		}
	}
	return *made.known
}

// resolve applies the edits that lead to a variant of the message at k.
func (v *variants) resolve(space *keyspace, k key, last variant) content {
	var c content
	if space.isMessage(k) {
		m := space.thread.At(space.message(k))
		c.original = v.size.text(m)
		c.text = []model.Piece{{Start: 0, End: len(c.original)}}
		c.recorded = m.Calls
	}
	var chain []edit
	for w := last; w.edit != nil; w = v.list[w.base] {
		chain = append(chain, w.edit)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		chain[i].apply(&c)
	}
	return c
}
