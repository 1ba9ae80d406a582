package curate

import (
	"slices"

	"agentlens/internal/model"
)

var clearToolUsesSpec = Spec{
	Name:     "clear_tool_uses",
	Summary:  "Past a trigger, replaces all but the newest tool results by a placeholder.",
	Whose:    "Anthropic clear_tool_uses_20250919, LangChain ClearToolUsesEdit",
	Stateful: true,
	Params: []Param{
		{Name: "trigger", Unit: Tok, Units: []Unit{Percent}, Default: "100k", Help: "size of the view above which it acts; % is of the window"},
		{Name: "keep", Unit: CallsU, Default: "3", Help: "newest tool results that stay"},
		{Name: "clear_at_least", Unit: Tok, Default: "0", Help: "if less than this would be saved, nothing is cleared"},
		{Name: "exclude", Kind: KindList, Default: "[]", Help: "tools whose results are never cleared"},
		{Name: "inputs", Kind: KindBool, Default: "false", Help: "empty the arguments of cleared calls too"},
		{Name: "placeholder", Kind: KindWord, Default: `"[cleared]"`, Help: "what stands in place of a result"},
		{Name: "sticky", Kind: KindBool, Default: "true", Help: "what was cleared stays so (middlewares); false: each request is judged anew (the API)"},
		tokensParam,
	},
	build: func(a args) (builtStage, error) {
		trigger, err := a.tokens("trigger")
		return builtStage{stage: &clearUses{
			trigger: trigger, keep: int(a.number("keep")), atLeast: a.number("clear_at_least"),
			exclude: a.list("exclude"), inputs: a.boolean("inputs"), sticky: a.boolean("sticky"),
			edit: replaceText{text: a.word("placeholder"), why: "cleared: not among the newest " + group(int(a.number("keep"))) + " tool results"},
		}}, err
	},
}

// clearUses clears old tool results once the view is too large.
type clearUses struct {
	trigger, atLeast int64
	keep             int
	exclude          []string
	inputs, sticky   bool
	edit             replaceText

	results *bitset // live tool results
	able    *bitset // those that clearing would make smaller
	cleared *bitset // those that were cleared, live or not
	todo    *bitset // able and not cleared
	saving  []int32 // per key, what clearing saves
	edge    key     // first of the newest results that stay
	newest  int     // results from edge on
	sum     int64   // what a clearing before edge would save
	back    []key   // no longer before edge at this call
	memo    memo
}

func (c *clearUses) step(f *facts, in, out *layer) {
	if c.results == nil {
		n := len(in.items)
		c.results, c.able, c.cleared, c.todo = newBitset(n), newBitset(n), newBitset(n), newBitset(n)
		c.saving = make([]int32, n)
	}
	for _, k := range in.delta {
		c.update(f, in, k)
	}
	c.slide()
	for _, k := range c.back {
		c.mark(k, false)
		c.decide(f, in, out, k)
	}
	for _, k := range in.delta {
		c.decide(f, in, out, k)
	}
	size := in.tokens
	if c.sticky {
		size = out.tokens
	}
	switch on := size > c.trigger && c.sum > 0 && c.sum >= c.atLeast; {
	case on:
		for k := c.todo.next(0); k >= 0 && k < c.edge; k = c.todo.next(k + 1) {
			c.mark(k, true)
			c.decide(f, in, out, k)
		}
	case !c.sticky:
		for k := c.cleared.next(0); k >= 0; k = c.cleared.next(k + 1) {
			c.mark(k, false)
			c.decide(f, in, out, k)
		}
	}
}

// update takes note of a change of k in the input.
func (c *clearUses) update(f *facts, in *layer, k key) {
	live := in.isLive(k) && in.role(k) == model.Tool
	if live != c.results.has(k) {
		if live {
			c.results.set(k)
		} else {
			c.results.clear(k)
		}
		if k >= c.edge {
			c.newest += int(2*b2i(live) - 1)
		}
	}
	saving := int32(0)
	if live && !slices.Contains(c.exclude, answeredTool(in.thread, in.message(k))) {
		saving = in.items[k].tokens - c.memo.variant(f, in, k, c.edit).tokens
	}
	c.recount(k, func() {
		c.saving[k] = saving
		c.able.clear(k)
		if saving > 0 {
			c.able.set(k)
		}
	})
}

// mark notes that k is cleared, or is not.
func (c *clearUses) mark(k key, cleared bool) {
	c.recount(k, func() {
		c.cleared.clear(k)
		if cleared {
			c.cleared.set(k)
		}
	})
}

// counts reports whether the saving of k is in the sum: of all that may go when
// each request is judged anew, else of what has not gone yet.
func (c *clearUses) counts(k key) bool {
	return k < c.edge && c.able.has(k) && !(c.sticky && c.cleared.has(k))
}

func (c *clearUses) recount(k key, change func()) {
	if c.counts(k) {
		c.sum -= int64(c.saving[k])
	}
	change()
	if c.counts(k) {
		c.sum += int64(c.saving[k])
	}
	c.todo.clear(k)
	if c.able.has(k) && !c.cleared.has(k) {
		c.todo.set(k)
	}
}

// slide moves edge so that the newest results from it on are as many as are kept.
func (c *clearUses) slide() {
	c.back = c.back[:0]
	for c.newest > c.keep {
		k := c.results.next(c.edge)
		c.edge, c.newest = k+1, c.newest-1
		if c.counts(k) {
			c.sum += int64(c.saving[k])
		}
	}
	for c.newest < c.keep && c.edge > 0 {
		k := c.results.prev(c.edge - 1)
		if k < 0 {
			return
		}
		if c.counts(k) {
			c.sum -= int64(c.saving[k])
		}
		c.edge, c.newest = k, c.newest+1
		if !c.sticky && c.cleared.has(k) {
			c.back = append(c.back, k)
		}
	}
}

func (c *clearUses) decide(f *facts, in, out *layer, k key) {
	if !c.cleared.has(k) || !c.able.has(k) || !in.isLive(k) {
		c.decideCall(f, in, out, k)
	} else {
		out.put(k, c.memo.variant(f, in, k, c.edit), 0)
	}
	if !c.inputs || !in.isMessage(k) {
		return
	}
	if g := in.thread.At(in.message(k)).Group; g >= 0 {
		if head := in.ofMessage(int(g)); head != k && in.isLive(head) {
			c.decideCall(f, in, out, head)
		}
	}
}

// decideCall lets a message through, with empty arguments when all its results
// are cleared and inputs are wanted so.
func (c *clearUses) decideCall(f *facts, in, out *layer, k key) {
	if !c.inputs || !in.isLive(k) || !in.isMessage(k) || in.role(k) != model.Assistant {
		pass(in, out, k)
		return
	}
	members := in.thread.Members(in.message(k))
	empty := len(members) > 1
	for _, i := range members {
		m := in.ofMessage(int(i))
		empty = empty && (m == k || c.cleared.has(m))
	}
	if !empty {
		pass(in, out, k)
		return
	}
	it := c.memo.variant(f, in, k, clearArgs{})
	if it.tokens < in.items[k].tokens {
		out.put(k, it, 0)
	} else {
		pass(in, out, k)
	}
}

// replaceText puts another text in place of a message's.
type replaceText struct {
	text string
	why  string
}

func (e replaceText) apply(c *content) {
	c.text = []model.Piece{}
	if e.text != "" {
		c.text = []model.Piece{{Insert: e.text}}
	}
}

func (e replaceText) guess(variant) (tokens, runes int32) {
	n := int32(len(e.text))
	return Overhead + (n+3)/4, n
}

func (e replaceText) reason() string { return e.why }

// clearArgs empties the arguments of an assistant message's calls.
type clearArgs struct{}

func (clearArgs) apply(c *content) { c.emptyArgs = true }
func (clearArgs) guess(v variant) (tokens, runes int32) {
	return min(v.tokens, Overhead+v.runes/4+8), v.runes
}
func (clearArgs) reason() string { return "arguments cleared with the results" }
