package curate

import (
	"agentlens/internal/model"
)

// An Edit is what a stage does to the content of one message. It is applied
// only when a view is looked at; until then its effect is two numbers.
type Edit interface {
	Apply(c *Content)
	Reason() string
}

// A Guesser is an edit that says what it makes of a size where no text is read.
type Guesser interface {
	Guess(base Variant) (tokens, runes int32)
}

// A StandIn is an edit whose size is a guess even where texts are read.
type StandIn interface {
	Guesser
	StandsIn()
}

// A Variant is a content a message has in some view: an edit of another one.
// Variant 0 is the content as recorded.
type Variant struct {
	edit   Edit
	stage  int8
	base   int32
	Tokens int32
	Runes  int32 // code points of the text
	Calls  []int // the calls left of an assistant message; nil: all
	// NoThinking says that its thinking was left out.
	NoThinking bool
	guessed    bool // its size is a guess, though texts are read
	known      *Content
}

// Content is a message in a view while edits are applied to it.
type Content struct {
	Original string
	Text     []model.Piece
	Calls    []int // nil: all
	// all the calls of the recorded message
	recorded              []model.ToolCall
	NoThinking, EmptyArgs bool
	reason                string // of the last edit
}

// Contents holds the contents of one replay.
type Contents struct {
	list []Variant
	size sizer
	mask Mask
	// unmasked says that programs are given texts as they are.
	unmasked bool
}

// add makes a variant of what is at key k and returns the item that has it.
func (v *Contents) add(space *Keyspace, k Key, from Item, stage int, e Edit) Item {
	base := v.list[from.Variant]
	if from.Variant == 0 && space.IsMessage(k) {
		i := space.Place(k)
		base.Tokens, base.Runes = v.size.tokens(i), v.size.runes(i)
	}
	made := Variant{edit: e, stage: int8(stage), base: from.Variant, Calls: base.Calls, NoThinking: base.NoThinking, guessed: base.guessed}
	switch e := e.(type) {
	case keepCalls:
		made.Calls = e.left
	case foldResults:
		made.Calls = e.left
	case noThinking:
		made.NoThinking = true
	}
	if s, ok := e.(StandIn); ok {
		made.guessed = true
		made.Tokens, made.Runes = s.Guess(base)
	} else {
		made.Tokens, made.Runes = v.measure(space, k, base, &made)
	}
	v.list = append(v.list, made)
	return Item{Tokens: made.Tokens, Variant: int32(len(v.list) - 1), Live: true}
}

// text is the text of it; it needs texts that may be read.
func (v *Contents) text(space *Keyspace, k Key, it Item) string {
	c := v.resolve(space, k, v.list[it.Variant])
	return model.Join(c.Original, c.Text)
}

// runes is the length of the text of it in code points.
func (v *Contents) runes(space *Keyspace, k Key, it Item) int32 {
	if it.Variant == 0 {
		return v.size.runes(space.Place(k))
	}
	return v.list[it.Variant].Runes
}

// sized is the size of a variant by the sizer at hand.
func (v *Contents) sized(space *Keyspace, k Key, id int32) int32 {
	made := v.list[id]
	if per := v.size.sizes.perToken; per > 0 {
		return byLength(space.Role(k), made.Runes, per)
	}
	base := v.list[made.base]
	if made.base == 0 && space.IsMessage(k) {
		i := space.Place(k)
		base.Tokens, base.Runes = v.size.tokens(i), v.size.runes(i)
	}
	tokens, _ := v.measure(space, k, base, &made)
	return tokens
}

// measure counts a variant: from its text where texts may be read, else from
// what its edit says of its size.
func (v *Contents) measure(space *Keyspace, k Key, base Variant, made *Variant) (tokens, runes int32) {
	if v.size.read {
		c := v.resolve(space, k, *made)
		made.keep(c)
		return v.size.count(space, k, &c)
	}
	if s, ok := made.edit.(Guesser); ok {
		base.Tokens, base.Runes = s.Guess(base)
	}
	if per := v.size.sizes.perToken; per > 0 {
		base.Tokens = byLength(space.Role(k), base.Runes, per)
	}
	return base.Tokens, base.Runes
}

// keep holds on to what a variant was found to be, so that a view of many need not
// read their texts. Summaries and what is made of whole texts are made again:
// there may be one at every call.
func (made *Variant) keep(c Content) {
	switch made.edit.(type) {
	case *extract, ends, StandIn:
		return
	}
	c.Original = ""
	c.reason = made.edit.Reason()
	made.known = &c
}

// shown is the content of variant i of the message at k. It may not be called by
// two at once.
func (v *Contents) shown(space *Keyspace, k Key, i int32) Content {
	made := &v.list[i]
	if made.known == nil {
		c := v.resolve(space, k, *made)
		if made.keep(c); made.known == nil {
			c.reason = made.edit.Reason()
			return c
		}
	}
	return *made.known
}

// resolve applies the edits that lead to a variant of the message at k.
func (v *Contents) resolve(space *Keyspace, k Key, last Variant) Content {
	var c Content
	if space.IsMessage(k) {
		m := space.Thread.At(space.Place(k))
		c.Original = v.size.text(m)
		c.Text = []model.Piece{{Start: 0, End: len(c.Original)}}
		c.recorded = m.Calls
	}
	var chain []Edit
	for w := last; w.edit != nil; w = v.list[w.base] {
		chain = append(chain, w.edit)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		chain[i].Apply(&c)
	}
	return c
}
