package source

import "sync"

// A Lazy value is computed on first use and cached. An error is not cached. A Lazy is safe
// for concurrent use.
type Lazy[T any] struct {
	mu    sync.Mutex
	value T
	found bool
}

// Get returns the cached value or the result of find.
func (l *Lazy[T]) Get(find func() (T, error)) (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.found {
		return l.value, nil
	}
	value, err := find()
	if err == nil {
		l.value, l.found = value, true
	}
	return value, err
}
