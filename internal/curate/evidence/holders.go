package evidence

import (
	"context"
	"runtime"
	"slices"
)

// holderBlock is the number of messages that one goroutine reads at a time.
const holderBlock = 128

// A holding is the words that a message contains: twice their ids, plus one for a hint.
type holding struct {
	message int32
	words   []int32
}

// findHolders finds the messages that contain each word. It reads them in all processors. progress gets the number of
// messages that were read.
func (f *finder) findHolders(ctx context.Context, progress func(done int)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type result struct {
		list []holding
		err  error
	}
	blocks := make(chan chan result, runtime.GOMAXPROCS(0)) // in the order of messages
	go func() {
		defer close(blocks)
		for from := 0; from < f.thread.Len(); from += holderBlock {
			done := make(chan result, 1)
			select {
			case blocks <- done:
			case <-ctx.Done():
				return
			}
			go func() {
				list, err := f.holdings(ctx, from, min(f.thread.Len(), from+holderBlock))
				done <- result{list, err}
			}()
		}
	}()
	read := 0
	for done := range blocks {
		r := <-done
		if r.err != nil {
			return r.err
		}
		for _, h := range r.list {
			for _, w := range h.words {
				f.words[w>>1].hold(h.message, w&1 != 0, &f.keep)
			}
		}
		read = min(read+holderBlock, f.thread.Len())
		progress(read)
	}
	return ctx.Err()
}

// holdings returns the words of the evidence in messages [from, to), each once per message.
func (f *finder) holdings(ctx context.Context, from, to int) (list []holding, err error) {
	var words []int32 // of a message
	s := newSearch(f.lookup, func(a alias) {
		w := a.word << 1
		if a.hint {
			w++
		}
		words = append(words, w)
	})
	for i := from; i < to; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		words = words[:0]
		if err := readText(f.run, f.thread, i, s.read); err != nil {
			return nil, err
		}
		if len(words) > 0 {
			slices.Sort(words)
			list = append(list, holding{int32(i), slices.Clone(slices.Compact(words))})
		}
	}
	return list, nil
}
