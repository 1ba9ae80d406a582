// Package blocks works through a list on all processors.
//
// It must never know what the list holds.
package blocks

import (
	"runtime"
	"sync"
)

// Each calls do for every number below n. Goroutines take blocks of size numbers in order, so that numbers which are close
// to each other, such as messages of a file, are worked on at about the same time. After each block, one goroutine at a
// time calls done with its first number and the one after its last. After an error no other block begins, and Each returns
// the error of the lowest number.
func Each(n, size int, do func(i int) error, done func(from, to int)) error {
	w := &work{n: n, size: size, do: do, done: done}
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n/size) - 1 {
		wait.Go(w.run)
	}
	w.run()
	wait.Wait()
	return w.err
}

// A work is one call of Each.
type work struct {
	n, size int
	do      func(i int) error
	done    func(from, to int)

	mu     sync.Mutex
	next   int // the first number of the next block
	failed int // the number with err
	err    error
}

// run works on blocks until none is left.
func (w *work) run() {
	for from, to := w.claim(); from < to; from, to = w.claim() {
		i, err := from, error(nil)
		for ; i < to && err == nil; i++ {
			err = w.do(i)
		}
		w.finish(from, i, err)
	}
}

// claim returns the next block, or an empty one.
func (w *work) claim() (from, to int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, 0
	}
	from, w.next = w.next, min(w.next+w.size, w.n)
	return from, w.next
}

// finish records the end of a block. A block that failed ends after the number that did.
func (w *work) finish(from, to int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		w.done(from, to)
	} else if w.err == nil || to < w.failed {
		w.failed, w.err = to, err
	}
}
