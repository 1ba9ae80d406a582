// Package jsonscan walks one JSON value by position, without building anything:
// it is what makes an index of a gigabyte of JSON Lines cheap. It checks the
// structure of what it visits and skips the rest by matching quotes and
// brackets; a caller that needs a verdict on a whole record asks encoding/json.
package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

// Space is the white space of JSON.
const Space = " \t\r\n"

// MaxDepth bounds how deep values may nest.
const MaxDepth = 10000

// Errors of a scan. They carry no position: a record that fails is read again
// by encoding/json, whose error does.
var (
	ErrSyntax = errors.New("not valid JSON")
	ErrDepth  = errors.New("JSON nested deeper than 10,000 levels")
)

// A Span is a range of bytes of the scanned buffer. The zero Span is "absent".
type Span struct{ Start, End int }

// Len is the length in bytes.
func (s Span) Len() int { return s.End - s.Start }

// Absent reports whether the value was not there.
func (s Span) Absent() bool { return s == Span{} }

// A Scanner reads one value from a buffer. After an error every method does
// nothing, so that callers check Err once at the end.
type Scanner struct {
	Buf []byte
	Err error
	pos int
}

// New starts at the first byte of buf.
func New(buf []byte) *Scanner { return &Scanner{Buf: buf} }

// Reset starts over on another buffer.
func (s *Scanner) Reset(buf []byte) { *s = Scanner{Buf: buf} }

func (s *Scanner) fail(err error) {
	if s.Err == nil {
		s.Err = err
	}
	s.pos = len(s.Buf)
}

func (s *Scanner) space() {
	for s.pos < len(s.Buf) {
		switch s.Buf[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// Pos is the offset of the next byte to be read.
func (s *Scanner) Pos() int { s.space(); return s.pos }

// Peek returns the first byte of the next value ('{', '[', '"', a digit, …), or 0 at the end.
func (s *Scanner) Peek() byte {
	s.space()
	if s.pos < len(s.Buf) {
		return s.Buf[s.pos]
	}
	return 0
}

// Object walks the members of the next value, an object: yield is called with
// each key (between its quotes, escapes as written) and must consume the value.
// A value that is no object is skipped.
func (s *Scanner) Object(yield func(key []byte)) {
	if s.Peek() != '{' {
		s.Skip()
		return
	}
	s.pos++
	if s.Peek() == '}' {
		s.pos++
		return
	}
	for s.Err == nil {
		if s.Peek() != '"' {
			s.fail(ErrSyntax)
			return
		}
		key := s.str()
		if s.Peek() != ':' {
			s.fail(ErrSyntax)
			return
		}
		s.pos++
		before := s.pos
		yield(s.Buf[key.Start+1 : key.End-1])
		if s.pos == before {
			s.Skip()
		}
		switch s.Peek() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return
		default:
			s.fail(ErrSyntax)
		}
	}
}

// Array walks the elements of the next value, an array; yield must consume each.
// A value that is no array is skipped.
func (s *Scanner) Array(yield func()) {
	if s.Peek() != '[' {
		s.Skip()
		return
	}
	s.pos++
	if s.Peek() == ']' {
		s.pos++
		return
	}
	for s.Err == nil {
		before := s.pos
		yield()
		if s.pos == before {
			s.Skip()
		}
		switch s.Peek() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return
		default:
			s.fail(ErrSyntax)
		}
	}
}

// Skip passes over the next value and returns where it stands.
func (s *Scanner) Skip() Span {
	switch c := s.Peek(); c {
	case '"':
		return s.str()
	case '{', '[':
		return s.nested()
	case 0:
		s.fail(ErrSyntax)
		return Span{}
	default:
		return s.scalar()
	}
}

// String passes over the next value and returns where it stands if it is a
// string, quotes included; the zero Span otherwise.
func (s *Scanner) String() Span {
	if s.Peek() != '"' {
		s.Skip()
		return Span{}
	}
	return s.str()
}

// Text is String, decoded. It is for short values: names, ids, times.
func (s *Scanner) Text() string { return Unquote(s.Buf, s.String()) }

// Int reads the next value as an integer; ok is false when it is none.
func (s *Scanner) Int() (n int64, ok bool) {
	v := s.Skip()
	if s.Err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(s.Buf[v.Start:v.End]), 10, 64)
	return n, err == nil
}

// Bool reads the next value as a boolean; anything but true is false.
func (s *Scanner) Bool() bool {
	v := s.Skip()
	return s.Err == nil && string(s.Buf[v.Start:v.End]) == "true"
}

// End reports whether only white space is left and nothing failed.
func (s *Scanner) End() bool {
	return s.Err == nil && s.Peek() == 0 && s.pos >= len(s.Buf)
}

// str passes over a string, from quote to quote.
func (s *Scanner) str() Span {
	buf, start := s.Buf, s.pos
	for i := start + 1; ; {
		j := bytes.IndexByte(buf[i:], '"')
		if j < 0 {
			s.fail(ErrSyntax)
			return Span{}
		}
		quote := i + j
		i = quote + 1
		back := quote
		for buf[back-1] == '\\' { // ends at the first quote
			back--
		}
		if (quote-back)%2 == 0 {
			s.pos = i
			return Span{start, i}
		}
	}
}

func (s *Scanner) nested() Span {
	start, depth := s.pos, 0
	for s.pos < len(s.Buf) {
		switch s.Buf[s.pos] {
		case '"':
			s.str()
			continue
		case '{', '[':
			if depth++; depth > MaxDepth {
				s.fail(ErrDepth)
				return Span{}
			}
		case '}', ']':
			if depth--; depth == 0 {
				s.pos++
				return Span{start, s.pos}
			}
		}
		s.pos++
	}
	s.fail(ErrSyntax)
	return Span{}
}

func (s *Scanner) scalar() Span {
	start := s.pos
	for s.pos < len(s.Buf) {
		switch c := s.Buf[s.pos]; c {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			return s.literal(start)
		case '"', ':', '{', '[':
			s.fail(ErrSyntax)
			return Span{}
		}
		s.pos++
	}
	return s.literal(start)
}

func (s *Scanner) literal(start int) Span {
	word := s.Buf[start:s.pos]
	if len(word) == 0 || !(word[0] == '-' || word[0] >= '0' && word[0] <= '9' ||
		string(word) == "true" || string(word) == "false" || string(word) == "null") {
		s.fail(ErrSyntax)
		return Span{}
	}
	return Span{start, s.pos}
}

// Unquote decodes the JSON string at span of buf; "" when it is absent or broken.
func Unquote(buf []byte, span Span) string {
	if span.Len() < 2 {
		return ""
	}
	if text, ok := Plain(buf, span); ok {
		return string(text)
	}
	var text string
	if json.Unmarshal(buf[span.Start:span.End], &text) != nil {
		return ""
	}
	return text
}

// Plain is what stands between the quotes of the JSON string at span of buf, if
// that is its text: without escapes, and valid UTF-8.
func Plain(buf []byte, span Span) (text []byte, ok bool) {
	if span.Len() < 2 {
		return nil, false
	}
	text = buf[span.Start+1 : span.End-1]
	return text, bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text)
}
