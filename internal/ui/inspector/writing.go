package inspector

import "sync"

// writings counts the files that commands are writing, so that the program can wait
// for them at its end: what is half written is taken away then. A command may begin
// at any time, also while the program ends.
type writings struct {
	mu     sync.Mutex
	closed bool
	going  sync.WaitGroup
}

// Begin takes a writing in; done ends it. It reports false once the program ends:
// nothing may be written any more.
func (w *writings) Begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		w.going.Add(1)
	}
	return !w.closed
}

func (w *writings) done() { w.going.Done() }

// close lets no other begin and waits for those that have.
func (w *writings) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.going.Wait()
}
