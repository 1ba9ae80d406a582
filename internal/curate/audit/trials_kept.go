package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"agentlens/internal/curate"
	"agentlens/internal/curate/evidence"
	"agentlens/internal/curate/money"
)

// trialsName is the name under which results are kept. It changes with their form.
const trialsName = "trials 1"

// A trialsKey is a hash of what results follow from, besides the texts, which the store checks.
type trialsKey [2]int64

// A chainID is a hash of a chain in normal form.
type chainID int64

func (k trialsKey) of(c curate.Chain) chainID {
	sum := sha256.Sum256(fmt.Append(nil, k, c.String()))
	return chainID(binary.LittleEndian.Uint64(sum[:]))
}

// trialsKey returns the key of the program, the form of the thread, sizes, usage, prices and window.
func (th *thread) trialsKey() trialsKey {
	h := sha256.New()
	var b []byte
	number := func(n ...int64) {
		for _, n := range n {
			b = binary.AppendVarint(b, n)
		}
		if len(b) >= 4<<10 {
			h.Write(b)
			b = b[:0]
		}
	}
	fmt.Fprintf(h, "%q %q %q %q %q", th.opt.Program, evidence.KeptAs(th.run, th.t), th.run.Format, th.run.Release, th.in.Sizes.Method)
	number(th.in.Window)
	for _, n := range th.in.Sizes.Tokens {
		number(int64(n))
	}
	models := map[string]int{}
	for i := range th.t.Calls {
		c := &th.t.Calls[i]
		u := &c.Usage
		number(u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite1h, int64(math.Float64bits(u.CostUSD)), int64(u.Known))
		name := c.Model()
		if _, known := models[name]; !known {
			models[name] = len(models)
			b = fmt.Appendf(b, "%q %v", name, th.opt.Prices(name))
		}
		number(int64(models[name]), int64(c.At), int64(c.Basis), int64(c.Witnessed))
	}
	h.Write(b)
	sum := h.Sum(nil)
	return trialsKey{int64(binary.LittleEndian.Uint64(sum)), int64(binary.LittleEndian.Uint64(sum[8:]))}
}

// pack returns the results as numbers.
func (l *trials) pack() (list []int32) {
	add := func(n int64) int64 {
		list = append(list, int32(n), int32(n>>32))
		return n
	}
	add(l.key[0])
	add(l.key[1])
	l.base.each(add)
	for id, r := range l.of {
		add(int64(id))
		r.each(add)
	}
	return list
}

// unpack takes the results from what pack returned. It takes none if they have another key, or if they do not fit the
// thread.
func (l *trials) unpack(list []int32) {
	fit := len(list) > 0 && len(list)%2 == 0
	next := func() (n int64) {
		if fit = fit && len(list) > 0; fit {
			n, list = int64(uint32(list[0]))|int64(list[1])<<32, list[2:]
		}
		return n
	}
	read := func() *result {
		r := &result{}
		r.each(func(int64) int64 {
			n := next()
			fit = fit && n >= 0
			return n
		})
		fit = fit && max(r.first, r.calls) <= len(l.th.t.Calls)
		return r
	}
	fit = fit && trialsKey{next(), next()} == l.key
	base, of := read(), map[chainID]*result{}
	for fit && len(list) > 0 {
		id := chainID(next())
		of[id] = read()
	}
	if fit {
		l.base, l.of = base, of
	}
}

// each replaces every number of a result by what do returns for it. The numbers of a loss are whole, as they count.
func (r *result) each(do func(n int64) int64) {
	flag := func(set *bool) { *set = do(btoi(*set)) == 1 }
	count := func(n *int) { *n = int(do(int64(*n))) }
	flag(&r.priced)
	flag(&r.whole)
	flag(&r.judged)
	count(&r.calls)
	count(&r.first)
	r.sent = do(r.sent)
	r.cost.Amount = money.Amount(do(int64(r.cost.Amount)))
	for _, n := range r.cost.Counts() {
		count(n)
	}
	for _, s := range []*evidence.Share{&r.loss.Needed, &r.loss.Instructions, &r.loss.Repeated} {
		s.Lost, s.Of = float64(do(int64(s.Lost))), float64(do(int64(s.Of)))
	}
}

func btoi(set bool) int64 {
	if set {
		return 1
	}
	return 0
}
