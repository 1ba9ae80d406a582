package inspector

import "sync"

// A writeGroup counts the files that jobs write. At its end the program waits for them, so that no
// half-written file remains.
type writeGroup struct {
	mu     sync.Mutex
	closed bool
	going  sync.WaitGroup
}

// begin registers a write. It returns false once the program ends: nothing may be written then.
// done ends the write.
func (w *writeGroup) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.going.Add(1)
	}
	return !w.closed
}

func (w *writeGroup) done() { w.going.Done() }

// close lets no other write begin and waits for those that did.
func (w *writeGroup) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.going.Wait()
}
