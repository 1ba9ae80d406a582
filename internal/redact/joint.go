package redact

import "strings"

// joined returns a text without what tools and programs put between the pieces of one value: a line
// break with indentation, a line number, a mark of a patch or a quotation; and between strings, quotes
// with a plus, a comma, a full stop or a line break. ok is false if there is nothing of that kind.
func joined(text string) (p plainText, ok bool) {
	var b strings.Builder
	from := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\n' && c != '"' && c != '\'' && c != '`' {
			continue
		}
		start, end := joint(text, i, from)
		if end <= start {
			continue
		}
		if from == 0 {
			b.Grow(len(text))
		}
		b.WriteString(text[from:start])
		p.add(edit{b.Len(), end, 0})
		from, i = end, end-1
	}
	if len(p.edits) == 0 {
		return p, false
	}
	b.WriteString(text[from:])
	p.text = b.String()
	return p, true
}

const longestJoint = 40

// joint returns the range of the joint at i, which is not before from.
func joint(text string, i, from int) (start, end int) {
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
	for start > from && i-start < longestJoint && strings.IndexByte(" \t\r\\", text[start-1]) >= 0 {
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
