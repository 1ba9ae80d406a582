// Package arena allocates many short lists and strings in few blocks, which
// keeps the garbage collector cheap for readers of hundreds of thousands of
// records. A block stays in memory as long as one of its values does.
//
// It must never be used for values that are dropped one by one.
package arena

import (
	"reflect"
	"strings"
)

// blockSize is the size of a block in bytes: a page of the heap without the header of its objects, so that nothing of
// the page is wasted.
const blockSize = 8<<10 - 8

// Of allocates short lists.
type Of[T any] struct {
	block      []T
	from, used int // start of the newest list, and end of all lists
}

// Add appends v to a list. The newest list grows in place.
func (s *Of[T]) Add(list []T, v T) []T {
	switch {
	case len(list) == 0:
		s.from = s.used
	case s.used == len(s.block) || len(list) != s.used-s.from || &list[0] != &s.block[s.from]:
		return append(list, v)
	}
	if s.used == len(s.block) {
		s.block, s.from, s.used = make([]T, blockSize/reflect.TypeFor[T]().Size()), 0, 0
	}
	s.block[s.used] = v
	s.used++
	return s.block[s.from:s.used:s.used]
}

// textLen is the size of a block of text in bytes.
const textLen = 8 << 10

// Text allocates short strings.
type Text struct{ b strings.Builder }

// Of returns text as a string. Long texts get memory of their own.
func (s *Text) Of(text []byte) string {
	if len(text) > textLen/8 {
		return string(text)
	}
	if s.b.Cap()-s.b.Len() < len(text) {
		s.b = strings.Builder{}
		s.b.Grow(textLen)
	}
	at := s.b.Len()
	s.b.Write(text)
	return s.b.String()[at:]
}
