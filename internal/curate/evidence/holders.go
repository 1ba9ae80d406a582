package evidence

import (
	"context"
	"slices"
	"sync"

	"agentlens/internal/curate/blocks"
)

// holderBlock is the number of messages that one goroutine reads at a time.
const holderBlock = 128

// A holding is the words that a message contains: twice their ids, plus one for a hint.
type holding struct {
	message int32
	words   []int32
}

// findHolders finds the messages that contain each word. It reads them in all processors, and adds them in order. progress
// gets the number of messages that were read.
func (f *finder) findHolders(ctx context.Context, progress func(done int)) error {
	lists := make([][]holding, (f.thread.Len()+holderBlock-1)/holderBlock)
	read, added := make([]bool, len(lists)), 0
	readers := sync.Pool{New: func() any { return newHoldings(f) }}
	return blocks.Each(len(lists), 1, func(n int) (err error) {
		r := readers.Get().(*holdings)
		defer readers.Put(r)
		lists[n], err = r.read(ctx, n*holderBlock, min(f.thread.Len(), (n+1)*holderBlock))
		return err
	}, func(n, _ int) {
		for read[n] = true; added < len(lists) && read[added]; added++ {
			for _, h := range lists[added] {
				for _, w := range h.words {
					f.words[w>>1].hold(h.message, w&1 != 0, &f.keep)
				}
			}
			lists[added] = nil
			progress(min((added+1)*holderBlock, f.thread.Len()))
		}
	})
}

// holdings reads which words messages contain.
type holdings struct {
	*finder
	search *search
	words  []int32 // of a message
}

func newHoldings(f *finder) *holdings {
	h := &holdings{finder: f}
	h.search = newSearch(f.lookup, func(a alias) {
		w := a.word << 1
		if a.hint {
			w++
		}
		h.words = append(h.words, w)
	})
	return h
}

// read returns the words of the evidence in messages [from, to), each once per message.
func (h *holdings) read(ctx context.Context, from, to int) (list []holding, err error) {
	for i := from; i < to; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h.words = h.words[:0]
		if err := readText(h.run, h.thread, i, h.search.read); err != nil {
			return nil, err
		}
		if len(h.words) > 0 {
			slices.Sort(h.words)
			list = append(list, holding{int32(i), slices.Clone(slices.Compact(h.words))})
		}
	}
	return list, nil
}
