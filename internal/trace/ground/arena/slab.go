// Package arena stores many small values in few allocations, so that a reader of
// hundreds of thousands of records leaves little to the garbage collector. An arena
// keeps all its values in memory together.
package arena

import "strings"

// pieces is how many things are made at a time.
const pieces = 128

// Of hands out single values and short lists.
type Of[T any] struct {
	block      []T
	from, used int // the newest list, and the end of all
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
		s.block, s.from, s.used = make([]T, pieces), 0, 0
	}
	s.block[s.used] = v
	s.used++
	return s.block[s.from:s.used:s.used]
}

// textLen is how many bytes of texts are kept together.
const textLen = 8 << 10

// Text hands out short strings.
type Text struct{ b strings.Builder }

// Of keeps a copy of text.
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
