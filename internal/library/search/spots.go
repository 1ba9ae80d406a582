package search

import (
	"context"
	"io"
	"runtime"
	"slices"
	"sync"

	"agentlens/internal/library/match"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// spots are the positions in a file where a match is possible, found without decoding.
type spots struct {
	all   bool // a match is possible anywhere
	other bool // a match is possible in other files of the run
	path  string
	at    []int64 // offsets, in order
}

var everywhere = spots{all: true}

func (s spots) any() bool { return s.all || s.other || len(s.at) > 0 }

// A stored reports the file that contains the bytes of a text.
type stored interface {
	Stored(r model.Ref) (path string)
}

// A reader returns the texts of a run. A text without a spot is empty.
func (s spots) reader(run *model.Run) func(model.Ref) string {
	where, known := run.Bodies.(stored)
	return func(r model.Ref) string {
		if known && !s.all && !r.None() && where.Stored(r) == s.path {
			if i, _ := slices.BinarySearch(s.at, r.Off); i == len(s.at) || s.at[i] >= r.Off+int64(r.Len) {
				return ""
			}
		}
		text, err := run.Body(r)
		if err != nil {
			return ""
		}
		return text
	}
}

const (
	// blockLen is the number of bytes that are read at a time. A block stays in the fastest cache until it is searched.
	blockLen = 1 << 16
	// pieceLen is the number of bytes that one goroutine searches.
	pieceLen = 32 << 20
	// maxSpots limits the spots of a file. If there are more, a match is possible anywhere.
	maxSpots = 1 << 20
)

// look searches the bytes of a file and of the files that belong to its runs. It searches JSON
// only: databases and archives divide or compress texts.
func (s *searcher) look(ctx context.Context, f trace.Found) (spots, error) {
	if s.raw == nil || f.Dir {
		return everywhere, nil
	}
	found, err := s.lookInto(ctx, f.Path)
	if err != nil || found.any() {
		return found, err
	}
	if s.related == nil {
		s.related = trace.RelatedFiles(s.memo)
	}
	for _, path := range s.related(f.Path) {
		other, err := s.lookInto(ctx, path)
		if err != nil || other.any() {
			found.other = true
			return found, err
		}
	}
	return found, nil
}

// lookInto searches the bytes of one file.
func (s *searcher) lookInto(ctx context.Context, path string) (spots, error) {
	file, err := s.memo.Open(path)
	if err != nil {
		return everywhere, nil // opening the file reports the error
	}
	defer file.Close()
	if c := file.First(); c != '{' && c != '[' {
		return everywhere, nil
	}
	found := spots{path: path}
	if int64(len(file.Head)) == file.Size() { // the whole file is in memory
		found.at = s.spotsIn(nil, file.Head, 0, len(file.Head))
		return found, ctx.Err()
	}
	pieces := make([][]int64, (file.Size()+pieceLen-1)/pieceLen)
	errs := make([]error, len(pieces))
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	var working sync.WaitGroup
	for i := range pieces {
		room <- struct{}{}
		working.Go(func() {
			pieces[i], errs[i] = s.piece(ctx, file, int64(i)*pieceLen)
			<-room
		})
	}
	working.Wait()
	for i, piece := range pieces {
		if errs[i] != nil {
			return spots{}, errs[i]
		}
		found.at = append(found.at, piece...)
	}
	found.all = len(found.at) > maxSpots
	return found, nil
}

// piece finds the spots that begin in one piece of a file.
func (s *searcher) piece(ctx context.Context, file *source.File, from int64) (at []int64, err error) {
	end := min(from+pieceLen, file.Size())
	over := max(s.raw.Len(), match.EscapeLen) // a hit may continue after its block
	block := make([]byte, min(blockLen, end-from)+int64(over))
	for ; from < end && len(at) <= maxSpots; from += blockLen {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := file.ReadAt(block, from)
		if err != nil && err != io.EOF {
			return nil, err
		}
		at = s.spotsIn(at, block[:n], from, int(min(blockLen, end-from)))
	}
	return at, nil
}

// spotsIn appends the spots that begin in the first own bytes of a block at offset from of a file.
func (s *searcher) spotsIn(at []int64, block []byte, from int64, own int) []int64 {
	first := len(at)
	for _, next := range []func([]byte, int) int{s.raw.Next, match.Escaped} {
		for i := next(block, 0); i >= 0 && i < own; i = next(block, i+1) {
			at = append(at, from+int64(i))
		}
	}
	slices.Sort(at[first:])
	return at
}
