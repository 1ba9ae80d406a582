package ledger

import (
	"encoding/binary"
	"errors"

	"agentlens/internal/curate/money"
	"agentlens/internal/model"
)

var errDamaged = errors.New("the cached calls of a run are damaged")

// Pack returns a compact form of the ledger.
func (l *Ledger) Pack() []byte {
	c := coder{b: make([]byte, 0, packedCall*len(l.Calls))}
	c.ledger(l)
	return c.b
}

// packedCall is about the size of a call in bytes.
const packedCall = 48

// Unpack returns the ledger of a compact form.
func Unpack(packed []byte) (*Ledger, error) {
	l := &Ledger{}
	c := coder{b: packed, reading: true}
	c.ledger(l)
	if c.failed || len(c.b) > 0 {
		return nil, errDamaged
	}
	return l, nil
}

// A coder writes numbers into b, or reads them from it.
type coder struct {
	b       []byte
	reading bool
	failed  bool
}

func (c *coder) fail() { c.b, c.failed = nil, true }

func (c *coder) number(p *int64) {
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

func (c *coder) count(p *int) {
	n := int64(*p)
	c.number(&n)
	*p = int(n)
}

func (c *coder) key(p *uint64) {
	switch {
	case !c.reading:
		c.b = binary.LittleEndian.AppendUint64(c.b, *p)
	case len(c.b) < 8:
		c.fail()
	default:
		*p, c.b = binary.LittleEndian.Uint64(c.b), c.b[8:]
	}
}

// length codes the length of a list whose items have at least the given number of bytes.
func length[T any](c *coder, p *[]T, least int) {
	n := len(*p)
	c.count(&n)
	if !c.reading {
		return
	}
	if *p = nil; n < 0 || n > len(c.b)/least {
		c.fail()
	} else if n > 0 {
		*p = make([]T, n)
	}
}

func (c *coder) ledger(l *Ledger) {
	length(c, &l.Calls, 12)
	second := int64(0)
	for i := range l.Calls {
		c.call(&l.Calls[i], &second)
	}
	var factors []int64
	for i := range l.Calls {
		if l.Calls[i].First {
			factors = append(factors, l.Calls[i].Factor)
		}
	}
	c.rest(factors, l)
}

// rest codes what follows the calls: the factors of the threads, and the activity.
func (c *coder) rest(factors []int64, l *Ledger) {
	for i := range factors {
		if c.number(&factors[i]); factors[i] < 0 {
			c.fail()
		}
	}
	if c.reading {
		l.scale(factors)
	}
	length(c, &l.Activity, 6)
	before := int64(0)
	for i := range l.Activity {
		a := &l.Activity[i]
		c.delta(&a.Quarter, &before)
		for _, p := range []*int{&a.Messages, &a.ToolCalls, &a.Errors, &a.Pending, &a.Compactions} {
			c.count(p)
		}
	}
}

// scale sets the factors of the threads.
func (l *Ledger) scale(factors []int64) {
	for i := range l.Calls {
		if l.Calls[i].First {
			l.Calls[i].Factor, factors = factors[0], factors[1:]
		}
	}
}

// delta codes the difference from the number before.
func (c *coder) delta(p, before *int64) {
	d := *p - *before
	c.number(&d)
	*before += d
	*p = *before
}

// The bits of a call.
const (
	restBit = 1 << iota
	coveredBit
	firstBit
	understatedBit
)

func (c *coder) call(x *Call, second *int64) {
	c.key(&x.Key)
	at, flags, known, source := int64(x.At)/1e9, x.flags(), int64(x.Usage.Known), int64(x.Cost.Source)
	c.delta(&at, second)
	for _, p := range []*int64{&flags, &known, &source} {
		c.number(p)
	}
	c.count(&x.Model)
	u := &x.Usage
	for _, p := range []*int64{&u.Input, &u.Output, &u.CacheRead, &u.CacheWrite, &u.CacheWrite1h, &u.Reasoning, (*int64)(&x.Cost.Prompt), (*int64)(&x.Cost.Output)} {
		c.number(p)
	}
	length(c, &x.Changes, 2)
	for i := range x.Changes {
		c.count(&x.Changes[i].Row)
		c.number(&x.Changes[i].Tokens)
		if x.Changes[i].Row < 0 || x.Changes[i].Row > maxRows {
			c.fail()
		}
	}
	if c.reading {
		c.restore(x, at, flags, known, source)
	}
}

// maxRows limits the rows that a damaged cache can name.
const maxRows = 1 << 20

func (x *Call) flags() (n int64) {
	if x.Rest {
		n |= restBit
	}
	if x.Covered {
		n |= coveredBit
	}
	if x.First {
		n |= firstBit
	}
	if x.Cost.Understated {
		n |= understatedBit
	}
	return n
}

func (c *coder) restore(x *Call, at, flags, known, source int64) {
	x.At, x.Usage.Known, x.Cost.Source = model.Time(at*1e9), model.UsageField(known), money.Source(source)
	x.Rest, x.Covered, x.First = flags&restBit != 0, flags&coveredBit != 0, flags&firstBit != 0
	x.Cost.Understated = flags&understatedBit != 0
	u := &x.Usage
	valid := source >= 0 && source <= int64(money.Estimated) && x.Model >= 0 && x.Cost.Prompt >= 0 && x.Cost.Output >= 0
	for _, n := range []int64{u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite1h, u.Reasoning} {
		valid = valid && n >= 0
	}
	if !valid {
		c.fail()
	}
	x.settle()
}
