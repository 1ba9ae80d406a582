package ui

import (
	"unicode/utf8"

	"agentlens/internal/ui/worddiff"
)

// This file bounds what is laid out of a changed message: a line of it may be as long
// as all of a record.

// Bounds of what is laid out, in lines of the screen.
const (
	messageTall = 1000 // of a changed message
	lineTall    = 250  // of one line of it
)

// cutParts leaves out what is too long of a line, for a column of so many cells, and
// says in its place how much that is: of a piece that was changed all but about
// diffLong lines, of a long one that is the same all but diffContext lines next to a
// change.
func cutParts(parts []part, width int) []part {
	width = max(width, 1)
	var out []part
	left := lineTall * width
	for i, p := range parts {
		switch n := p.to - p.from; {
		case left <= 0:
			return append(out, leftPart(bytesIn(parts[i:])))
		case n <= diffLong*width:
			out = append(out, p)
		case p.kind != worddiff.Same:
			out = cutPart(out, p, diffLong*width, 0)
		default:
			first, last := diffContext*width, diffContext*width
			if i == 0 && len(parts) > 1 {
				first = 0
			}
			if i == len(parts)-1 {
				last = 0
			}
			out = cutPart(out, p, first, last)
		}
		left -= min(p.to-p.from, diffLong*width)
	}
	return out
}

// cutPart keeps about so many bytes of the ends of a part.
func cutPart(out []part, p part, first, last int) []part {
	s := p.text.String()
	from, to := p.from+first, p.to-last
	for from > p.from && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < p.to && !utf8.RuneStart(s[to]) {
		to++
	}
	if first > 0 {
		out = append(out, part{text: p.text, from: p.from, to: from, kind: p.kind})
	}
	out = append(out, leftPart(to-from))
	if last > 0 {
		out = append(out, part{text: p.text, from: to, to: p.to, kind: p.kind})
	}
	return out
}

// leftPart stands for so many bytes that are left out.
func leftPart(n int) part { return part{own: " … " + bytesOf(int64(n)) + " more … "} }

func bytesIn(parts []part) (n int) {
	for _, p := range parts {
		n += p.to - p.from
	}
	return n
}

// leftFrom is how many lines of a text are left out where it is shown up to one of its
// lines.
func (t *diffText) leftFrom(n int) int {
	left := len(t.lines) - n + t.more
	for _, folded := range t.fold[n:] {
		left += folded
	}
	return left
}

// brief is a text of which only is said what it is about, and how many lines it has.
func (t *diffText) brief() *diffText {
	if t.row.kind != changedRow {
		return t
	}
	return &diffText{row: t.row, more: t.leftFrom(0)}
}
