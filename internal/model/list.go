package model

// A List grows without copying what it holds and without leaving garbage behind.
type List[T any] struct {
	Blocks [][]T
	n      int
}

const (
	blockBits = 10
	BlockLen  = 1 << blockBits
)

// Len is the number of values.
func (l *List[T]) Len() int { return l.n }

// At gives access to value i, good until the next Add.
func (l *List[T]) At(i int32) *T { return &l.Blocks[i>>blockBits][i&(BlockLen-1)] }

// Forget lets go of the values before i, if not of all of them at once.
func (l *List[T]) Forget(i int32) {
	if b := i>>blockBits - 1; b >= 0 {
		l.Blocks[b] = nil
	}
}

// Add appends a value and returns its number.
func (l *List[T]) Add(v T) int32 {
	if l.n>>blockBits == len(l.Blocks) {
		l.Blocks = append(l.Blocks, make([]T, 0, min(BlockLen, 16+l.n)))
	}
	last := &l.Blocks[l.n>>blockBits]
	*last = append(*last, v)
	l.n++
	return int32(l.n - 1)
}
