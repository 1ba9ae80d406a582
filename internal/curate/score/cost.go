package score

import (
	"time"

	"agentlens/internal/curate/models"
	"agentlens/internal/model"
)

// What a prompt cache is taken to do: it holds a prefix of at least so many tokens
// for so long after the call before. Providers differ (512 to 4,096 tokens; five
// minutes to a day); these are the commonest of the providers' own pages, November
// 2026.
const (
	cacheLeast = 1024
	cacheLife  = 5 * time.Minute
)

// promptCost is what the prompt of a call costs: what the cache holds at the rate
// of reading it, the rest at that of writing it, where the model has one, else at
// that of input. Tools, hidden system prompts and replies are not in it.
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

// UsageCost is what a call cost at the prices of its model: what the provider counted
// of prompt and reply. It is not known where either is not, or has no price; what a
// cache gave or took has that of input where it has none of its own.
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

// expired reports whether the record says that more time than a cache lives went
// by since the call before.
func expired(t *model.Thread, number int) bool {
	if number < 2 {
		return true
	}
	before, known := t.Calls[number-2].At.At()
	at, known2 := t.Calls[number-1].At.At()
	return known && known2 && at.Sub(before) > cacheLife
}
