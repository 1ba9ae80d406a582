package evidence

import (
	"context"
	"runtime"
)

// holderBlock is the number of messages that one goroutine reads at a time.
const holderBlock = 128

// A holding is a message that contains a word.
type holding struct {
	alias
	message int32
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
			f.words[h.word].hold(h.message, h.hint, &f.keep)
		}
		read = min(read+holderBlock, f.thread.Len())
		progress(read)
	}
	return ctx.Err()
}

// holdings returns the words of the evidence in messages [from, to), each once per message.
func (f *finder) holdings(ctx context.Context, from, to int) (list []holding, err error) {
	seen := map[alias]int{}
	for i := from; i < to; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := read(f.run, f.thread, i)
		if err != nil {
			return nil, err
		}
		f.eachOf(text, func(a alias) {
			if seen[a] != i+1 {
				seen[a] = i + 1
				list = append(list, holding{a, int32(i)})
			}
		})
	}
	return list, nil
}
