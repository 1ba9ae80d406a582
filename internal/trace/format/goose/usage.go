package goose

import (
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/sqlite"
)

// spent is a row of the ledger: one request.
type spent struct {
	model      string
	usage      model.Usage
	compaction bool
}

func spentOf(r sqlite.Row) spent {
	s := spent{model: r.Text("model")}
	flag, _ := r.Int("is_compaction")
	s.compaction = flag != 0
	for _, f := range []struct {
		field model.UsageField
		name  string
	}{
		{model.UsageInput, "input_tokens"},
		{model.UsageOutput, "output_tokens"},
		{model.UsageCacheRead, "cache_read_tokens"},
		{model.UsageCacheWrite, "cache_write_tokens"},
	} {
		if n, ok := r.Int(f.name); ok && n >= 0 {
			s.usage.Set(f.field, n)
		}
	}
	cached := s.usage.CacheRead + s.usage.CacheWrite
	if total, ok := r.Int("total_tokens"); ok && total == s.usage.Input+s.usage.Output && cached > 0 && s.usage.Input >= cached {
		s.usage.Set(model.UsageInput, s.usage.Input-cached)
	}
	if usd, ok := r.Float("cost"); ok {
		s.usage.SetCost(usd)
	}
	return s
}

// sums takes the totals of a session, for those without a ledger. Whether input
// holds what was cached they do not say, so that it stays unknown.
func (c *conversation) sums(output int64, hasOutput bool, usd float64, hasCost bool) {
	if hasOutput && output >= 0 {
		c.total.Set(model.UsageOutput, output)
	}
	if hasCost {
		c.total.SetCost(usd)
	}
}

// calls gives the replies their usage where the ledger has a row for each, and
// sums the ledger. Elsewhere only the last reply has a model: the settings are
// those of the end.
func (c *conversation) calls() {
	t := c.b.Thread()
	if n := len(t.Calls); n > 0 {
		t.Calls[n-1].Model = c.model
	}
	if len(c.ledger) == 0 {
		return
	}
	c.total = model.Usage{}
	var replies []spent
	for _, s := range c.ledger {
		c.total.Add(s.usage)
		if !s.compaction {
			replies = append(replies, s)
		}
	}
	if len(replies) != len(t.Calls) {
		c.Warn(model.WarnUsageTotals, "the ledger has another number of requests than there are replies: it counts for the sum alone", "table usage_ledger")
		replies = nil
	}
	for i, s := range replies {
		t.Calls[i].Model, t.Calls[i].Usage = s.model, s.usage
	}
}
