package model

import "math"

// UsageField is one figure of a [Usage], as a bit.
type UsageField uint8

// The figures of a usage record.
const (
	UsageInput UsageField = 1 << iota
	UsageOutput
	UsageCacheRead
	UsageCacheWrite
	UsageReasoning
	UsageCost
)

// Usage is what provider calls used, in the one normal form: Input is uncached
// input only, CacheRead and CacheWrite are disjoint from it (the three together
// are the prompt); Output includes Reasoning. Counts are tokens. A figure
// counts only where its bit of Known is set: unknown is not zero. Sums end at the
// greatest number there is.
type Usage struct {
	Input, Output         int64
	CacheRead, CacheWrite int64
	Reasoning             int64
	CostUSD               float64
	Known                 UsageField
}

// Set sets one token figure. A negative one counts nothing: it is not recorded.
func (u *Usage) Set(f UsageField, tokens int64) {
	if tokens < 0 {
		*u.field(f), u.Known = 0, u.Known&^f
		return
	}
	*u.field(f), u.Known = tokens, u.Known|f
}

// SetCost sets the cost in US dollars; what is negative or no number is no cost.
func (u *Usage) SetCost(usd float64) {
	if !(usd >= 0 && usd <= math.MaxFloat64) {
		u.CostUSD, u.Known = 0, u.Known&^UsageCost
		return
	}
	u.CostUSD, u.Known = usd, u.Known|UsageCost
}

// Tokens returns one token figure and whether it is known.
func (u *Usage) Tokens(f UsageField) (int64, bool) { return *u.field(f), u.Known&f != 0 }

// Prompt is the size of the prompt in tokens, cached or not, and whether the
// record tells it.
func (u *Usage) Prompt() (int64, bool) {
	return plus(plus(u.Input, u.CacheRead), u.CacheWrite), u.Known&UsageInput != 0
}

// Total is prompt and reply together, in tokens, and whether the record tells both:
// of a part it is no total.
func (u *Usage) Total() (int64, bool) {
	prompt, _ := u.Prompt()
	const both = UsageInput | UsageOutput
	return plus(prompt, u.Output), u.Known&both == both
}

// plus adds two counts, up to the greatest there is.
func plus(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Add adds the known figures of v. What is known on either side is known in the sum.
func (u *Usage) Add(v Usage) {
	for f := UsageInput; f <= UsageReasoning; f <<= 1 {
		if v.Known&f != 0 {
			*u.field(f) = plus(*u.field(f), *v.field(f))
		}
	}
	if v.Known&UsageCost != 0 {
		u.CostUSD = min(u.CostUSD+v.CostUSD, math.MaxFloat64)
	}
	u.Known |= v.Known
}

func (u *Usage) field(f UsageField) *int64 {
	switch f {
	case UsageInput:
		return &u.Input
	case UsageOutput:
		return &u.Output
	case UsageCacheRead:
		return &u.CacheRead
	case UsageCacheWrite:
		return &u.CacheWrite
	case UsageReasoning:
		return &u.Reasoning
	}
	panic("model: no token figure")
}
