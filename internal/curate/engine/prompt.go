package engine

import (
	"math"

	"agentlens/internal/model"
)

// Context returns the size of the prompt of a call, and whether it is known. In a replay of
// the record, the size is the provider's count if the call has usage. Otherwise the size is
// that of the view plus the estimate for system prompt and tools.
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
	beside := min(r.in.Sizes.BesideAt(call), math.MaxInt64-view.Tokens)
	c = model.Context{Tokens: view.Tokens + beside, Beside: beside}
	if r.basis != model.Simulated && call > r.Calls() {
		c.Within = r.in.Sizes.Next().Within
	}
	return c, true
}
