package loose

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A Value is the first JSON value of a text, as far as it could be read.
type Value struct {
	Object Object            // nil when the value is none
	Array  []json.RawMessage // nil when the value is none
	Keys   []string          // of the object, in order, the one that is cut included
	Rest   []byte            // what follows the value
	Deep   int               // values that were left out, as they nest too deep

	// Err is nil, [ErrTorn] or a [*SyntaxError]. What was whole before it is in
	// Object or Array.
	Err error
	// Cut is what there is of the element or member in which reading failed; of a
	// member the value alone, whose key is the last of Keys.
	Cut []byte
}

// Read reads the first JSON value of data, which is an object or a list: of
// others only Rest and Err are set. The value points into data.
func Read(data []byte) Value {
	return (&scanner{data: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), keys: true}).read()
}

func (s *scanner) read() Value {
	data := s.data
	s.space()
	var v Value
	switch {
	case s.pos < len(data) && data[s.pos] == '{':
		v.Object = Object{}
		s.object(&v)
	case s.pos < len(data) && data[s.pos] == '[':
		v.Array = []json.RawMessage{}
		s.array(&v)
	case !s.value():
		v.Err = s.err()
	}
	v.Deep = len(s.deep)
	if v.Err == nil {
		v.Rest = Trim(data[s.pos:])
	}
	return v
}

func (s *scanner) object(v *Value) {
	var key, at Span
	named := false // the key of the member being read is known
	member := func(s *scanner) bool {
		s.space()
		key.Start, named = s.pos, false
		if !s.text() {
			return false
		}
		key.End = s.pos
		if !s.take(':') {
			return false
		}
		s.space()
		at.Start, named = s.pos, true
		return s.value()
	}
	keep := func() {
		name, _ := Text(s.data[key.Start:key.End]) // it was read
		at.End, named = s.pos, false
		if s.keys {
			v.Keys = append(v.Keys, name)
		}
		v.Object[name] = s.cut(at)
	}
	if s.container(member, '}', keep) {
		return
	}
	v.Err = s.err()
	if named {
		name, _ := Text(s.data[key.Start:key.End])
		v.Keys, v.Cut = append(v.Keys, name), s.data[at.Start:]
	}
}

func (s *scanner) array(v *Value) {
	var at Span
	reading := false
	element := func(s *scanner) bool {
		s.space()
		at.Start, reading = s.pos, true
		return s.value()
	}
	keep := func() {
		at.End, reading = s.pos, false
		v.Array = append(v.Array, s.cut(at))
	}
	if s.container(element, ']', keep) {
		return
	}
	v.Err = s.err()
	if reading {
		v.Cut = s.data[at.Start:]
	}
}

// cut is the value at a place: a part of the data, unless something in it is
// nested too deep and has a text put in its place.
func (s *scanner) cut(at Span) json.RawMessage {
	first := len(s.deep)
	for first > 0 && s.deep[first-1].Start >= at.Start {
		first--
	}
	if first == len(s.deep) {
		return s.data[at.Start:at.End:at.End]
	}
	var out json.RawMessage
	from := at.Start
	for _, deep := range s.deep[first:] {
		out = append(out, s.data[from:deep.Start]...)
		out = fmt.Appendf(out, `"%s%d bytes are not shown"`, TooDeep, deep.End-deep.Start)
		from = deep.End
	}
	return append(out, s.data[from:at.End]...)
}

// Elements tells where the elements of a list stand in data: of data itself, or of
// the list its members lead to. It checks brackets and quotes only; of a torn list
// those that are whole are given, and torn is set.
func Elements(data []byte, path ...string) (list []Span, torn bool) {
	s := &scanner{data: data, checked: true}
	torn = !s.elements(path, &list)
	return list, torn
}

// elements walks one value on the way to a list, or the list.
func (s *scanner) elements(path []string, list *[]Span) bool {
	s.space()
	switch {
	case s.pos == len(s.data):
		return false
	case len(path) == 0 && s.data[s.pos] == '[':
		return s.container(func(s *scanner) bool {
			s.space()
			start := s.pos
			whole := s.value()
			if whole {
				*list = append(*list, Span{start, s.pos})
			}
			return whole
		}, ']', nil)
	case len(path) > 0 && s.data[s.pos] == '{':
		return s.container(func(s *scanner) bool {
			s.space()
			start := s.pos
			if !s.text() {
				return false
			}
			key, _ := Text(s.data[start:s.pos])
			switch {
			case !s.take(':'):
				return false
			case key == path[0]:
				return s.elements(path[1:], list)
			}
			return s.value()
		}, '}', nil)
	}
	return s.value()
}
