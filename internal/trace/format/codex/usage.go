package codex

import "agentlens/internal/model"

// usage converts c to model usage. The recorded input includes cache reads and writes,
// and the output includes reasoning.
func (c counts) usage() model.Usage {
	var u model.Usage
	if !c.has {
		return u
	}
	input := c.input
	if input >= c.cached+c.write {
		input -= c.cached + c.write
	}
	u.Set(model.UsageInput, input)
	u.Set(model.UsageOutput, c.output)
	if c.hasCached {
		u.Set(model.UsageCacheRead, c.cached)
	}
	if c.hasWrite {
		u.Set(model.UsageCacheWrite, c.write)
	}
	if c.hasReasoning {
		u.Set(model.UsageReasoning, c.reasoning)
	}
	return u
}

// same reports whether the totals c and d are equal.
func (c counts) same(d counts) bool {
	return c.input == d.input && c.cached == d.cached && c.output == d.output && c.reasoning == d.reasoning && c.total == d.total
}

// since returns the usage between the earlier total d and the total c. If the total
// decreased, Codex restarted its count, so since returns c.
func (c counts) since(d counts) counts {
	if c.input < d.input || c.output < d.output || c.cached < d.cached {
		return c
	}
	c.input -= d.input
	c.cached -= d.cached
	c.write = max(c.write-d.write, 0)
	c.output -= d.output
	c.reasoning = max(c.reasoning-d.reasoning, 0)
	return c
}

// tokenCount assigns a token count to the request that ended before it. It ignores
// repeated totals.
func (x *index) tokenCount() {
	total, last := x.r.total, x.r.last
	if n := len(x.replies); x.r.window > 0 {
		x.window = x.r.window
		if n > 0 && x.replies[n-1].window == 0 {
			x.replies[n-1].window = x.window
		}
	}
	if !total.has {
		return
	}
	if total.same(x.total) {
		return
	}
	used := total.since(x.total)
	x.total = total
	if used.input == 0 && used.output == 0 {
		return
	}
	if x.copied {
		x.copiedUse.Add(used.usage())
	} else {
		x.ownUse.Add(used.usage())
	}
	if n := len(x.replies); n > 0 && x.replies[n-1].usage.Known == 0 {
		if last.has && last.input+last.output > 0 {
			used = last
		}
		x.replies[n-1].usage = used.usage()
	}
	x.open = -1
}
