package catalog

import (
	"encoding/binary"
	"errors"
	"math"

	"agentlens/internal/curate/money"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// A codec writes fields into b, or reads them from it. One list of fields serves both
// directions.
type codec struct {
	b       []byte
	reading bool
	whole   string // all of b when reading began: texts are parts of it
	gate    *safe.Gate
	err     error
}

// reader returns a codec that reads fields from b.
func reader(b []byte, g *safe.Gate) codec {
	return codec{b: b, reading: true, whole: string(b), gate: g}
}

var errShort = errors.New("the cache ends inside a field")

func (c *codec) fail() { c.b, c.err = nil, errShort }

func (c *codec) number(p *int64) {
	if !c.reading {
		c.b = binary.AppendVarint(c.b, *p)
		return
	}
	n, size := binary.Varint(c.b)
	if size <= 0 {
		c.fail()
		return
	}
	*p, c.b = n, c.b[size:]
}

func (c *codec) count(p *int) {
	n := int64(*p)
	c.number(&n)
	*p = int(n)
}

func (c *codec) text(p *string) {
	n := len(*p)
	c.count(&n)
	switch {
	case !c.reading:
		c.b = append(c.b, *p...)
	case n < 0 || n > len(c.b):
		c.fail()
	default:
		at := len(c.whole) - len(c.b)
		*p, c.b = c.whole[at:at+n], c.b[n:]
	}
}

func (c *codec) safe(p *safe.SafeJSON) {
	if !c.reading {
		raw := p.String()
		c.text(&raw)
		return
	}
	var raw string
	c.text(&raw)
	*p = c.gate.Kept(raw)
}

// list codes the length of a list and its items. least is the minimum size of an item in bytes, so that a damaged
// length cannot allocate a long list.
func list[T any](c *codec, p *[]T, least int, item func(*T)) {
	n := len(*p)
	c.count(&n)
	if c.reading {
		if n < 0 || n > len(c.b)/least {
			c.fail()
			return
		}
		*p = nil
		if n > 0 {
			*p = make([]T, n)
		}
	}
	for i := range *p {
		item(&(*p)[i])
	}
}

func (c *codec) usage(u *model.Usage) {
	for _, p := range []*int64{&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.CacheWrite1h, &u.Reasoning} {
		c.number(p)
	}
	known, cost := int64(u.Known), int64(math.Float64bits(u.CostUSD))
	c.number(&known)
	c.number(&cost)
	if !c.reading {
		return
	}
	usd := math.Float64frombits(uint64(cost))
	u.Known, u.CostUSD = model.UsageField(known), 0
	if u.Known&model.UsageCost == 0 {
		return
	}
	if u.SetCost(usd); u.Known&model.UsageCost == 0 { // an invalid cost: the cache is damaged
		c.fail()
	}
}

func (c *codec) row(r *Row) {
	for _, p := range []*safe.SafeJSON{&r.ID, &r.Title, &r.Source, &r.Pipeline, &r.Agent, &r.Project, &r.Branch} {
		c.safe(p)
	}
	c.text(&r.Format)
	c.text((*string)(&r.Status))
	c.number((*int64)(&r.Started))
	c.number((*int64)(&r.Ended))
	c.number((*int64)(&r.Last))
	list(c, &r.Models, 1, c.safe)
	for _, p := range []*int{&r.Threads, &r.Messages, &r.ToolCalls, &r.Pending, &r.Calls, &r.Errors, &r.Compactions, &r.Microcompactions, &r.SubAgents, &r.Warnings} {
		c.count(p)
	}
	c.number((*int64)(&r.Duration))
	c.number((*int64)(&r.Active))
	c.usage(&r.Usage)
	c.number(&r.OutputEstimated)
	c.cost(&r.Cost)
	list(c, &r.Tools, 4, func(t *Tool) {
		c.safe(&t.Name)
		c.count(&t.Calls)
		c.count(&t.Failed)
		c.count(&t.Pending)
	})
	c.bytes(&r.ledger)
}

// bytes codes bytes. It does not copy those that it reads.
func (c *codec) bytes(p *[]byte) {
	n := len(*p)
	c.count(&n)
	switch {
	case !c.reading:
		c.b = append(c.b, *p...)
	case n < 0 || n > len(c.b):
		c.fail()
	default:
		*p, c.b = c.b[:n:n], c.b[n:]
	}
}

func (c *codec) cost(s *money.Sum) {
	c.number((*int64)(&s.Amount))
	for _, p := range s.Counts() {
		c.count(p)
		if *p < 0 || s.Amount < 0 {
			c.fail()
		}
	}
}
