package view

import (
	"agentlens/internal/curate/models"
	"agentlens/internal/library/catalog"
	"agentlens/internal/library/ledger"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
)

// Totals are the figures of a whole run, as words. One that is not known is "".
type Totals struct {
	Cost     kit.Words // with its mark, see [money.Sum.String]
	Duration kit.Words // from the first to the last recorded time
	Cached   kit.Words // share of all prompts that was read from a cache
}

// List returns the known totals.
func (t Totals) List() (list []kit.Words) {
	for _, w := range [...]kit.Words{t.Duration, t.Cost, t.Cached} {
		if w != "" {
			list = append(list, w)
		}
	}
	return list
}

// TotalsOf returns the totals of a run. prices may be nil. It takes time proportional to the
// run.
func TotalsOf(run *model.Run, prices Prices, gated func(string) kit.Words) Totals {
	if prices == nil {
		prices = func(string) models.Prices { return models.Prices{} }
	}
	var t Totals
	l := ledger.Of(run, prices, func(string) int { return 0 })
	if cost := l.Cost(); cost.Known() {
		t.Cost = gated(cost.String())
	}
	if d := catalog.DurationOf(run); d >= 0 {
		t.Duration = kit.Duration(d)
	}
	t.Cached = CachedWords(l.Usage())
	return t
}

// CachedWords returns the share of the prompts that was read from a cache: "cache 89%".
func CachedWords(u model.Usage) kit.Words {
	read, counted := u.Tokens(model.UsageCacheRead)
	prompt, known := u.Prompt()
	if !counted || !known || prompt <= 0 || read < 0 || read > prompt {
		return ""
	}
	return "cache " + kit.Int(int(100*(float64(read)/float64(prompt)))) + "%"
}
