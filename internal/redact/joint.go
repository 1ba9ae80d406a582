package redact

import "strings"

// inPieces calls yield for every string of a matcher in a text, as it is or in pieces: between them is what
// tools and programs put between the pieces of one value. That is a line break with indentation, a line
// number, a mark of a patch or a quotation; and between strings, quotes with a plus, a comma, a full stop
// or a line break.
func (m *matcher) inPieces(text string, yield func(n, start, end int)) {
	at, from := int32(0), 0
	to := func(i int) {
		base := from
		at = m.from(at, text[from:i], func(n, end int) { yield(n, base+end-int(m.length[n]), base+end) })
		from = i
	}
	next := 0
	for {
		for next < len(text) && text[next] != '\n' && !isQuote(text[next]) {
			next++
		}
		if next == len(text) {
			break
		}
		start, end := joint(text, next)
		if end <= start {
			next++
			continue
		}
		if start > from {
			to(start)
		}
		if at != 0 && from == start {
			m.across(at, text, start, end, yield)
		}
		next = end
	}
	to(len(text))
}

// across continues a string that began before a joint of a text, at state at.
func (m *matcher) across(at int32, text string, start, end int, yield func(n, start, end int)) {
	after := int32(0) // bytes after the first joint
	for i := end; i < len(text); {
		if c := text[i]; c == '\n' || isQuote(c) {
			if from, to := joint(text, i); from <= i && to > i {
				i = to
				continue
			}
		}
		at = m.advance(at, text[i])
		i, after = i+1, after+1
		if m.states[at].depth <= after {
			return
		}
		if n := m.states[at].ends - 1; n >= 0 {
			yield(int(n), start-int(m.length[n]-after), i)
		}
	}
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
