package score

import (
	"time"

	"agentlens/internal/curate/models"
	"agentlens/internal/model"
)

// The assumed prompt cache holds a prefix of at least cacheLeast tokens for cacheLife after
// the previous call. Providers differ (512 to 4,096 tokens; five minutes to a day). These
// are the most common values in their documentation of November 2026.
const (
	cacheLeast = 1024
	cacheLife  = 5 * time.Minute
)

// promptCost returns the cost of the prompt of a call. Cached tokens have the cache-read
// price; the others have the cache-write price, or the input price if the model has none.
// Tools, hidden system prompts and replies are not included.
func promptCost(t *model.Thread, c *CallScore, p models.Prices) Money {
	input, known := p.Input.At(c.Tokens)
	if !known {
		return Money{}
	}
	cached := int64(0)
	read, reads := p.CacheRead.At(c.Tokens)
	if reads && c.Prefix >= cacheLeast && !expired(t, c.Number) {
		cached = c.Prefix
	}
	if write, writes := p.CacheWrite.At(c.Tokens); writes && c.Tokens >= cacheLeast {
		input = write
	}
	return Money{(float64(cached)*read + float64(c.Tokens-cached)*input) / 1e6, true}
}

// UsageCost returns the cost of a call at its model's prices, from the provider's counts of
// prompt and reply. The cost is unknown if a count or a price is missing. Cached tokens
// without a price of their own have the input price.
func UsageCost(u model.Usage, p models.Prices) Money {
	prompt, known := u.Prompt()
	output, replied := u.Tokens(model.UsageOutput)
	in, priced := p.Input.At(prompt)
	out, outPriced := p.Output.At(prompt)
	if !known || !replied || !priced || !outPriced {
		return Money{}
	}
	rate := func(r models.Rate) float64 {
		if usd, known := r.At(prompt); known {
			return usd
		}
		return in
	}
	usd := float64(u.Input)*in + float64(u.CacheRead)*rate(p.CacheRead) + float64(u.CacheWrite)*rate(p.CacheWrite) + float64(output)*out
	return Money{usd / 1e6, true}
}

// expired reports whether the record shows that the cache has expired since the previous
// call.
func expired(t *model.Thread, number int) bool {
	if number < 2 {
		return true
	}
	before, known := t.Calls[number-2].At.At()
	at, known2 := t.Calls[number-1].At.At()
	return known && known2 && at.Sub(before) > cacheLife
}
