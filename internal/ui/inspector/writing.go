package inspector

import "sync"

// A writeGroup counts the files that jobs are writing. Before it exits, lens waits for them, so
// that no file is left half written.
type writeGroup struct {
	mu     sync.Mutex
	closed bool
	going  sync.WaitGroup
}

// begin registers a write. It returns false after close, and the caller must then not write. done
// ends the write.
func (w *writeGroup) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.going.Add(1)
	}
	return !w.closed
}

func (w *writeGroup) done() { w.going.Done() }

// close rejects new writes and waits for the current ones.
func (w *writeGroup) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.going.Wait()
}
