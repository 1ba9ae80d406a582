package source

import "sync"

// A Lazy value is found when it is first asked for, and kept. A failure is not: the
// next time it is looked for again. It is safe for use by several goroutines.
type Lazy[T any] struct {
	mu    sync.Mutex
	value T
	found bool
}

// Get returns what find found.
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
