package tokens

import (
	"hash/maphash"
	"sync"
)

// Memo returns a counter that caches the counts of c by content, so that a text is counted
// only once even if it is in several runs, threads or views. The cache holds a 128-bit hash
// of each text, not the text, and evicts entries that have not been used for a while.
// An [Estimate] is returned as it is: it takes little longer than the hash.
func Memo(c Counter) Counter {
	switch c.(type) {
	case *memo, Estimate:
		return c
	}
	return &memo{Counter: c, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, young: map[digest]int{}, limit: memoEntries}
}

const (
	// memoFrom is the minimum length, in bytes, of a cached text. Counting a shorter text
	// takes no longer than a cache lookup.
	memoFrom    = 128
	memoEntries = 1 << 16
)

// A digest is the hash of a text. Two texts collide with a probability of 2^-128.
type digest [2]uint64

type memo struct {
	Counter
	seeds [2]maphash.Seed
	limit int

	mu         sync.Mutex
	young, old map[digest]int // old is the previous generation of young
}

func (m *memo) Count(text string) int {
	if len(text) < memoFrom {
		return m.Counter.Count(text)
	}
	d := digest{maphash.String(m.seeds[0], text), maphash.String(m.seeds[1], text)}
	m.mu.Lock()
	n, ok := m.young[d]
	if !ok {
		if n, ok = m.old[d]; ok {
			m.keep(d, n)
		}
	}
	m.mu.Unlock()
	if ok {
		return n
	}
	n = m.Counter.Count(text)
	m.mu.Lock()
	m.keep(d, n)
	m.mu.Unlock()
	return n
}

func (m *memo) keep(d digest, n int) {
	if len(m.young) >= m.limit {
		m.old, m.young = m.young, make(map[digest]int, m.limit)
	}
	m.young[d] = n
}
