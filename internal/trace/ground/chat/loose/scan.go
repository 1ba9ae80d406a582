package loose

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// MaxDepth is how deep values may nest. What lies deeper is left out, and a text
// that begins with [TooDeep] stands in its place.
const MaxDepth = 1000

// TooDeep begins the text that stands for a value nested deeper than [MaxDepth].
const TooDeep = "nested too deep: "

// ErrTorn says that a text ends before its JSON value does.
var ErrTorn = errors.New("the text ends in the middle of a JSON value")

// ErrTornDeep is [ErrTorn] where the value that ends is one nested too deep.
var ErrTornDeep = fmt.Errorf("%w, at a depth of more than %d brackets", ErrTorn, MaxDepth)

// A SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Offset int // of the byte that cannot stand there
	Byte   byte
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid character %q", rune(e.Byte))
}

// A Span is a range of bytes.
type Span struct{ Start, End int }

// A scanner passes over JSON values and checks them as encoding/json does. Its
// methods report false at the first byte that cannot stand there, which is then
// at pos.
type scanner struct {
	data  []byte
	pos   int
	depth int
	deep  []Span // values nested too deep, in order
	last  Span   // the container that ended last

	checked bool // the data was checked before: values are only passed over
	keys    bool // the keys of the object are wanted in order
}

func (s *scanner) err() error {
	switch {
	case s.pos < len(s.data):
	case s.depth == MaxDepth:
		return ErrTornDeep
	default:
		return ErrTorn
	}
	return &SyntaxError{Offset: s.pos, Byte: s.data[s.pos]}
}

func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// take passes over c, if it is the next byte but for white space.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.pos < len(s.data) && s.data[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) value() bool {
	s.space()
	if s.pos == len(s.data) {
		return false
	}
	if s.checked {
		return s.skip()
	}
	switch s.data[s.pos] {
	case '"':
		return s.text()
	case '{':
		return s.container((*scanner).member, '}', nil)
	case '[':
		return s.container((*scanner).value, ']', nil)
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

func (s *scanner) member() bool {
	s.space()
	return s.text() && s.take(':') && s.value()
}

// container passes over a list or an object, whose bracket is next, child by
// child. each, where it is not nil, is called behind every child.
func (s *scanner) container(child func(*scanner) bool, closing byte, each func()) bool {
	start := s.pos
	if s.depth == MaxDepth {
		return s.tooDeep()
	}
	s.depth++
	s.pos++
	for n := 1; ; n++ {
		if n == 1 && s.take(closing) {
			break
		}
		if !child(s) {
			return false
		}
		if each != nil {
			each()
		}
		if s.take(',') {
			continue
		}
		if !s.take(closing) {
			return false
		}
		if n == 1 && s.depth > 1 && s.last.Start > start {
			s.climb(start)
		}
		break
	}
	s.depth--
	s.last = Span{start, s.pos}
	return true
}

// climb widens a value that is too deep to the container that ends here, if it is
// all that is in it: one text stands for a row of brackets.
func (s *scanner) climb(start int) {
	if n := len(s.deep); n > 0 && s.deep[n-1] == s.last {
		s.deep[n-1] = Span{start, s.pos}
	}
}

// tooDeep passes over a value and notes where it stands.
func (s *scanner) tooDeep() bool {
	start := s.pos
	if !s.skip() {
		return false
	}
	s.last = Span{start, s.pos}
	s.deep = append(s.deep, s.last)
	return true
}

// text passes over a string.
func (s *scanner) text() bool {
	if s.pos == len(s.data) || s.data[s.pos] != '"' {
		return false
	}
	s.pos++
	for {
		s.pos = plain(s.data, s.pos)
		if s.pos == len(s.data) {
			return false
		}
		switch s.data[s.pos] {
		case '"':
			s.pos++
			return true
		case '\\':
			if !s.escape() {
				return false
			}
		default: // a control character
			return false
		}
	}
}

// plain is the place of the first byte from i on that is a quote, a backslash or
// a control character. It looks at eight bytes at a time.
func plain(data []byte, i int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(data); i += 8 {
		word := binary.LittleEndian.Uint64(data[i:])
		quote, back := word^('"'*ones), word^('\\'*ones)
		// Of a byte that is zero, or below a space, the top bit is set; the lowest
		// of them is right, those above it may be carries.
		found := ((quote - ones) &^ quote) | ((back - ones) &^ back) | ((word - ' '*ones) &^ word)
		if found &= tops; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(data) && data[i] != '"' && data[i] != '\\' && data[i] >= ' ' {
		i++
	}
	return i
}

func (s *scanner) escape() bool {
	s.pos++
	if s.pos == len(s.data) {
		return false
	}
	switch s.data[s.pos] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return true
	case 'u':
		for range 4 {
			s.pos++
			if s.pos == len(s.data) || hex(s.data[s.pos]) < 0 {
				return false
			}
		}
		s.pos++
		return true
	}
	return false
}

// hex is the value of a hexadecimal digit, or -1.
func hex(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}

func (s *scanner) word(word string) bool {
	for i := range len(word) {
		if s.pos == len(s.data) || s.data[s.pos] != word[i] {
			return false
		}
		s.pos++
	}
	return true
}

// number passes over a number. One that ends the text in the middle of an object
// or a list is torn: more digits may have followed.
func (s *scanner) number() bool {
	if s.data[s.pos] == '-' {
		s.pos++
	}
	if s.pos < len(s.data) && s.data[s.pos] == '0' {
		s.pos++
	} else if !s.digits() {
		return false
	}
	if s.pos < len(s.data) && s.data[s.pos] == '.' {
		s.pos++
		if !s.digits() {
			return false
		}
	}
	if s.pos < len(s.data) && (s.data[s.pos] == 'e' || s.data[s.pos] == 'E') {
		s.pos++
		if s.pos < len(s.data) && (s.data[s.pos] == '+' || s.data[s.pos] == '-') {
			s.pos++
		}
		if !s.digits() {
			return false
		}
	}
	return s.depth == 0 || s.pos < len(s.data)
}

// digits passes over at least one digit.
func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.data) && '0' <= s.data[s.pos] && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}
