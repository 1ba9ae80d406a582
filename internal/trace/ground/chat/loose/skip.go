package loose

import "bytes"

// skip passes over a value by its quotes and brackets alone.
func (s *scanner) skip() bool {
	var few [32]byte
	open := few[:0] // the closing brackets that are due
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case '"':
			if !s.quoted() {
				return false
			}
		case '{', '[':
			open = append(open, c+2) // in ASCII both close two places on
			s.pos++
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != c {
				return false
			}
			open = open[:len(open)-1]
			s.pos++
		default:
			if len(open) > 0 {
				s.pos++
				continue
			}
			return s.bare()
		}
		if len(open) == 0 {
			return true
		}
	}
	return false
}

// bare passes over a number or a word.
func (s *scanner) bare() bool {
	start := s.pos
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ',', '}', ']', ' ', '\n', '\r', '\t':
			return s.pos > start
		}
		s.pos++
	}
	return s.depth == 0
}

// quoted passes over a string from quote to quote.
func (s *scanner) quoted() bool {
	for i := s.pos + 1; ; {
		next := bytes.IndexByte(s.data[i:], '"')
		if next < 0 {
			s.pos = len(s.data)
			return false
		}
		quote := i + next
		i = quote + 1
		back := quote
		for s.data[back-1] == '\\' {
			back-- // not beyond the opening quote
		}
		if (quote-back)%2 == 0 {
			s.pos = i
			return true
		}
	}
}
