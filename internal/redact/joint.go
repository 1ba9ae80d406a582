package redact

import "strings"

// inPieces calls yield for every string of a matcher in a text, whole or in pieces. It accepts the separators
// that tools and programs put between the pieces of one value: a line break with indentation, a line number, a
// mark of a patch or a quotation, and, between string literals, quotes with a plus, a comma, a full stop or a
// line break. It may omit strings that begin at or after limit.
func (m *matcher) inPieces(text string, limit int, yield func(n, start, end int)) {
	at, from := int32(0), 0
	to := func(i int) {
		base := from
		at = m.from(at, text[from:i], limit-from, func(n, end int) { yield(n, base+end-int(m.length[n]), base+end) })
		from = i
	}
	last := 0 // start of the last joint
	marks := newMarks(text)
	for i := marks.next(0); i < len(text); {
		start, end := joint(text, i)
		if start >= max(limit, from) {
			if to(start); at == 0 {
				return
			}
		}
		if end <= start {
			i = marks.next(i + 1)
			continue
		}
		if start >= last {
			if last = start; m.crosses(text, start, end) {
				to(start)
				m.across(at, text, start, end, yield)
			}
		}
		i = marks.next(end)
	}
	to(len(text))
}

// crosses reports whether a string may continue behind a joint of a text. Few strings contain the two bytes
// around one.
func (m *matcher) crosses(text string, start, end int) bool {
	if start == 0 || !m.inner[text[start-1]] {
		return false
	}
	for end < len(text) && isMark(text[end]) {
		_, to := joint(text, end)
		if to <= end {
			break
		}
		end = to
	}
	if end > len(text)-2*longestJoint { // more may follow
		return true
	}
	return has(m.pairs[:], uint32(text[start-1])<<8|uint32(text[end]))
}

// mayBegin reports whether a string may begin before limit, whole or in pieces, in any text that begins with the given one.
// It looks at joinedAhead bytes after limit.
func (m *matcher) mayBegin(text string, limit int) bool {
	if m.skip(text, 0) < limit {
		return true
	}
	marks := newMarks(text) // a first piece may be too short for skip
	for i := marks.next(0); i < min(len(text), limit+m.window+longestJoint); {
		start, end := joint(text, i)
		if end > start && m.crosses(text, start, end) {
			found := false
			at := m.from(0, text[max(0, start-m.window):start], len(text), func(int, int) {})
			if m.across(at, text, start, end, func(int, int, int) { found = true }) || found {
				return true
			}
		}
		i = marks.next(max(end, i+1))
	}
	return false
}

// joinedAhead is more than the window of a matcher, the joint behind it, and what a joint depends on.
const joinedAhead = 5 * longestJoint

// isMark reports whether a joint may be at a byte.
func isMark(c byte) bool { return c == '\n' || isQuote(c) }

// marks are the line breaks and quotes of a text, in order.
type marks struct {
	text  string
	ahead [4]int // the next of each kind
}

const markBytes = "\n\"'`"

func newMarks(text string) marks {
	m := marks{text: text}
	for k := range m.ahead {
		m.ahead[k] = -1
	}
	return m
}

// next returns the offset of the first mark at or after from, or the length of the text. from never falls.
func (m *marks) next(from int) int {
	least := len(m.text)
	for k, at := range m.ahead {
		if at < from {
			at = len(m.text)
			if n := strings.IndexByte(m.text[from:], markBytes[k]); n >= 0 {
				at = from + n
			}
			m.ahead[k] = at
		}
		least = min(least, at)
	}
	return least
}

// across continues a string that began before a joint of a text, at state at. It reports whether the string may continue
// behind the text.
func (m *matcher) across(at int32, text string, start, end int, yield func(n, start, end int)) bool {
	after, open := int32(0), false // bytes after the first joint
	for i := end; i < len(text); {
		if isMark(text[i]) {
			open = open || i > len(text)-2*longestJoint
			if from, to := joint(text, i); from <= i && to > i {
				i = to
				continue
			}
		}
		at = m.advance(at, text[i])
		i, after = i+1, after+1
		if m.states[at].depth <= after {
			return open
		}
		if n := m.states[at].ends - 1; n >= 0 {
			yield(int(n), start-int(m.length[n]-after), i)
		}
	}
	return at != 0
}

const longestJoint = 40

// joint returns the range of the joint at a quote or line break, or an empty one.
func joint(text string, i int) (start, end int) {
	if isQuote(text[i]) {
		end = skip(text, i+1, " \t\r\n+.&,\\", longestJoint)
		if end == i+1 || end >= len(text) || !isQuote(text[end]) || strings.Trim(text[i+1:end], " \t\\") == "" && text[i+1] == '\\' {
			return i, i
		}
		if !strings.ContainsAny(text[i+1:end], "+.&,\n") && text[end] != text[i] {
			return i, i
		}
		return i, end + 1
	}
	start = i
	for start > 0 && i-start < longestJoint && strings.IndexByte(" \t\r\\", text[start-1]) >= 0 {
		start--
	}
	end = skip(text, i+1, " \t\r\n", longestJoint)
	if n := skip(text, end, "0123456789", 6); n > end && n < len(text) {
		if mark := lineMark(text[n:]); mark > 0 {
			end = n + mark
		}
	}
	return start, skip(text, end, "+>| \t", 8)
}

// lineMark returns the length of what follows the number of a line at the start of s.
func lineMark(s string) int {
	for _, mark := range [...]string{"→", "│", "\t", ":", "|"} {
		if strings.HasPrefix(s, mark) {
			return len(mark)
		}
	}
	return 0
}
