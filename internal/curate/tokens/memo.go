package tokens

import (
	"hash/maphash"
	"sync"
)

// Memo returns a counter that remembers what c counted, by content: the same text
// in another run, thread or view is not counted twice. It keeps no text, only a
// number of 128 bits of each, and forgets what was not asked for in a while.
func Memo(c Counter) Counter {
	if m, ok := c.(*memo); ok {
		return m
	}
	return &memo{Counter: c, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, young: map[digest]int{}, limit: memoEntries}
}

const (
	// memoFrom is the length in bytes from which a text is remembered: shorter
	// ones are counted in the time it takes to look them up.
	memoFrom    = 128
	memoEntries = 1 << 16
)

// digest stands for a text. Two different texts share one with a probability
// of 2^-128.
type digest [2]uint64

type memo struct {
	Counter
	seeds [2]maphash.Seed
	limit int

	mu         sync.Mutex
	young, old map[digest]int // old was young before it was full
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
