package search

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"agentlens/internal/trace"
)

// A watched finds spots in the blocks of a file while its run is read, so that the file is not read twice.
type watched struct {
	searcher *searcher
	from     int64 // earlier spots are known

	mu   sync.Mutex
	at   []int64
	seen []block
}

// A block is a range of a file that was searched.
type block struct{ from, to int64 }

// see searches a block of whole lines. No spot continues in the next line.
func (w *watched) see(data []byte, off int64) {
	to := off + int64(len(data))
	if to <= w.from {
		return
	}
	skip := int(max(w.from-off, 0))
	at := w.searcher.spotsIn(nil, data[skip:], off+int64(skip), len(data)-skip)
	w.mu.Lock()
	w.at, w.seen = append(w.at, at...), append(w.seen, block{off, to})
	w.mu.Unlock()
}

// complete reports whether the blocks cover a file of the given size.
func (w *watched) complete(size int64) bool {
	slices.SortFunc(w.seen, func(a, b block) int { return cmp.Compare(a.from, b.from) })
	end := w.from
	for _, b := range w.seen {
		if b.from > end {
			return false
		}
		end = max(end, b.to)
	}
	return end >= size
}

// whole returns the spots of the whole file after its run was read.
func (s *searcher) whole(ctx context.Context, f trace.Found, found spots) (spots, error) {
	w := found.rest
	if w == nil {
		return found, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	found.rest = nil
	file, err := s.memo.Open(f.Path)
	if err != nil {
		return everywhere, nil // reading the texts reports the error
	}
	defer file.Close()
	if !w.complete(file.Size()) { // the reader does not read lines
		_, err := s.pieces(ctx, file, &found, w.from, false)
		return found, err
	}
	slices.Sort(w.at)
	w.at = slices.Compact(w.at) // a file of several runs may be read several times
	found.at = append(found.at[:len(found.at):len(found.at)], w.at...)
	found.all = len(found.at) > maxSpots
	return found, nil
}
