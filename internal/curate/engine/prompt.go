package engine

import "agentlens/internal/model"

// Context returns the size of the prompt of a call, and whether it is known. In a replay of
// the record, the size is the provider's count if the call has usage. Otherwise it follows
// from the counted prompt and the view, see [CountedPrompt.With].
func (r *Replayed) Context(call int) (c model.Context, known bool) {
	if r.basis != model.Simulated && call <= r.Calls() {
		if prompt, ok := r.in.Thread.Calls[call-1].Usage.Prompt(); ok && prompt > 0 {
			return model.Context{Tokens: prompt, Counted: true}, true
		}
	}
	if !r.Has(call) {
		return c, false
	}
	_, view := r.Tally(call)
	c.Tokens = r.in.Sizes.prompt(call, view.Tokens)
	c.Beside = max(0, c.Tokens-view.Tokens)
	if r.basis != model.Simulated && call > r.Calls() {
		c.Within = r.in.Sizes.Next().Within
	}
	return c, true
}
