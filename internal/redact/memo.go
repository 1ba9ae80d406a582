package redact

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

const (
	minRemembered  = 128     // bytes; shorter texts are searched again as fast
	mostRemembered = 1 << 18 // texts
)

// A memo remembers texts in which the rules found nothing, by two hashes, so that a second pass over a run
// searches only for known values.
type memo struct {
	seeds [2]maphash.Seed
	on    atomic.Bool
	mu    sync.Mutex
	clean map[[2]uint64]struct{}
}

func newMemo() *memo {
	return &memo{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		clean: map[[2]uint64]struct{}{},
	}
}

// start begins to remember.
func (m *memo) start() { m.on.Store(true) }

// use reports whether a text of n bytes is remembered.
func (m *memo) use(n int) bool { return n >= minRemembered && m.on.Load() }

func (m *memo) id(key, text string) [2]uint64 {
	return [2]uint64{maphash.String(m.seeds[0], text), maphash.String(m.seeds[1], text) ^ maphash.String(m.seeds[0], key)}
}

func (m *memo) has(id [2]uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.clean[id]
	return ok
}

func (m *memo) add(id [2]uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.clean) >= mostRemembered {
		clear(m.clean)
	}
	m.clean[id] = struct{}{}
}
