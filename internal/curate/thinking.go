package curate

import "agentlens/internal/model"

var clearThinkingSpec = Spec{
	Name:    "clear_thinking",
	Summary: "Leaves out the thinking of all but the newest replies that have any.",
	Whose:   "Anthropic clear_thinking_20251015",
	Params:  []Param{{Name: "keep", Unit: Turns, Default: "1", Help: "newest replies with thinking that keep it"}},
	build: func(a args) (builtStage, error) {
		keep := int(a.number("keep"))
		why := "thinking left out: not among the newest " + group(keep) + " replies with thinking"
		return builtStage{stage: &clearThinking{keep: keep, why: why}, reasons: []string{"", "nothing but thinking, and not among the newest " + group(keep)}}, nil
	},
}

// clearThinking strips old replies of their thinking; one that has nothing else
// is dropped.
type clearThinking struct {
	keep    int
	why     string
	replies *recent
	memo    memo
}

func (c *clearThinking) step(f *facts, in, out *layer) {
	if c.replies == nil {
		c.replies = newRecent(len(in.items))
	}
	for _, k := range in.delta {
		c.replies.mark(k, c.thinks(f, in, k))
	}
	before := c.replies.edge
	c.replies.slide(c.keep)
	c.replies.between(before, c.replies.edge, func(k key) { c.decide(f, in, out, k) })
	for _, k := range in.delta {
		c.decide(f, in, out, k)
	}
}

func (c *clearThinking) thinks(f *facts, in *layer, k key) bool {
	return in.isLive(k) && in.isMessage(k) && in.thread.At(in.message(k)).HasThinking() && !f.vars.list[in.items[k].variant].noThinking
}

func (c *clearThinking) decide(f *facts, in, out *layer, k key) {
	if k >= c.replies.edge || !c.replies.marked.has(k) {
		pass(in, out, k)
		return
	}
	m := in.thread.At(in.message(k))
	if !m.HasText() && len(m.Calls) == 0 && len(in.thread.Members(in.message(k))) < 2 {
		out.drop(k, 1)
		return
	}
	out.put(k, c.memo.variant(f, in, k, noThinking{tokens: thinkingTokens(m), why: c.why}), 0)
}

// thinkingTokens guesses the size of the readable thinking of a message.
func thinkingTokens(m *model.Message) int32 {
	n := int64(0)
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == model.Thinking && !p.Sealed {
			n += int64(p.Body.Len)
		}
	}
	return int32(min(n/4, 1<<30))
}

// noThinking leaves the thinking of a message out.
type noThinking struct {
	tokens int32
	why    string
}

func (noThinking) apply(c *content) { c.noThinking = true }

func (e noThinking) guess(base variant) (tokens, runes int32) {
	return max(min(base.tokens, Overhead), base.tokens-e.tokens), base.runes
}

func (e noThinking) reason() string { return e.why }
