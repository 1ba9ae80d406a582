package job

import "sync"

// A Writes counts the files that jobs are writing. Before it exits, lens waits for them, so
// that no file is left half written.
type Writes struct {
	mu     sync.Mutex
	closed bool
	going  sync.WaitGroup
}

// Begin registers a write. It returns false after close, and the caller must then not write. [Writes.Done]
// ends the write.
func (w *Writes) Begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.going.Add(1)
	}
	return !w.closed
}

// Done ends a write.
func (w *Writes) Done() { w.going.Done() }

// Close rejects new writes and waits for the current ones.
func (w *Writes) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.going.Wait()
}
