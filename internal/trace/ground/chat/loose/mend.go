package loose

import "slices"

// Mend closes a JSON value that was cut off: what was whole stays, the rest goes.
// A value that is not cut comes back as it is.
func Mend(data []byte) []byte { return (&mender{data: Trim(data)}).mend() }

// MendRecords is Mend for a document that holds records: an element of a list is
// left out unless it is whole, or has a member of one of these names, a list, of
// which the whole elements stay. So no record is told by a part of it.
func MendRecords(data []byte, lists ...string) []byte {
	return (&mender{data: Trim(data), records: true, lists: lists}).mend()
}

// maxOpen bounds how deep a cut value may nest.
const maxOpen = 200

// A mender finds the last place at which a cut value can be closed.
type mender struct {
	data    []byte
	records bool     // elements of lists stay whole or not at all
	lists   []string // but for those that hold one of these

	open []level
	due  []byte // closing brackets for the last such place
	safe int    // that place; -1 for none
	key  Span   // the last string, perhaps a key
}

// A level is a bracket that is open.
type level struct {
	closing byte
	inner   bool // of a record: nothing directly in it can be cut off
}

func (m *mender) mend() []byte {
	m.safe = -1
	for i := 0; i < len(m.data); i++ {
		switch c := m.data[i]; c {
		case '"':
			m.key.Start = i
			if i = closingQuote(m.data, i); i == len(m.data) {
				return m.close()
			}
			m.key.End = i + 1
		case '{', '[':
			m.open = append(m.open, level{closing: c + 2, inner: m.isInner(c)})
			if len(m.open) > maxOpen {
				return m.data
			}
			m.mark(i + 1)
		case ',':
			if len(m.open) == 0 {
				return m.data
			}
			m.mark(i) // what stands before a comma is whole
		case '}', ']':
			n := len(m.open) - 1
			if n < 0 || m.open[n].closing != c {
				return m.data
			}
			if m.open = m.open[:n]; n == 0 {
				return m.data[:i+1]
			}
			m.mark(i + 1)
		}
	}
	return m.close()
}

// isInner reports whether what opens here belongs to a record that stays or goes
// as a whole.
func (m *mender) isInner(c byte) bool {
	if !m.records || len(m.open) == 0 {
		return false
	}
	n := len(m.open) - 1
	switch {
	case m.open[n].closing == ']':
		return true
	case !m.open[n].inner, c == '{', m.open[n-1].closing != ']':
		return m.open[n].inner
	}
	name, _ := Text(m.data[m.key.Start:m.key.End])
	return !slices.Contains(m.lists, name)
}

// mark notes that the value can be closed at i.
func (m *mender) mark(i int) {
	if m.open[len(m.open)-1].inner {
		return
	}
	m.safe, m.due = i, m.due[:0]
	for _, l := range m.open {
		m.due = append(m.due, l.closing)
	}
}

func (m *mender) close() []byte {
	if m.safe < 0 {
		return m.data
	}
	slices.Reverse(m.due)
	return append(slices.Clone(m.data[:m.safe]), m.due...)
}

// closingQuote is where the string that begins at i ends, or the end of data.
func closingQuote(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return min(i, len(data))
}
