package diff

import (
	"unicode/utf8"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/worddiff"
)

// This file bounds what is laid out of a changed message: a line of it may be as long
// as all of a record.

// Bounds of what is laid out, in lines of the screen.
const (
	MessageTall = 1000 // of a changed message
	LineTall    = 250  // of one line of it
)

// CutParts leaves out what is too long of a line, for a column of so many cells, and
// says in its place how much that is: of a piece that was changed all but about
// diffLong lines, of a long one that is the same all but diffContext lines next to a
// change.
func CutParts(parts []kit.Part, width int) []kit.Part {
	width = max(width, 1)
	var out []kit.Part
	left := LineTall * width
	for i, p := range parts {
		switch n := p.To - p.From; {
		case left <= 0:
			return append(out, leftPart(bytesIn(parts[i:])))
		case n <= DiffLong*width:
			out = append(out, p)
		case p.Kind != worddiff.Same:
			out = cutPart(out, p, DiffLong*width, 0)
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
		left -= min(p.To-p.From, DiffLong*width)
	}
	return out
}

// cutPart keeps about so many bytes of the ends of a part.
func cutPart(out []kit.Part, p kit.Part, first, last int) []kit.Part {
	s := p.Text.String()
	from, to := p.From+first, p.To-last
	for from > p.From && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < p.To && !utf8.RuneStart(s[to]) {
		to++
	}
	if first > 0 {
		out = append(out, kit.Part{Text: p.Text, From: p.From, To: from, Kind: p.Kind})
	}
	out = append(out, leftPart(to-from))
	if last > 0 {
		out = append(out, kit.Part{Text: p.Text, From: to, To: p.To, Kind: p.Kind})
	}
	return out
}

// leftPart stands for so many bytes that are left out.
func leftPart(n int) kit.Part { return kit.Part{Own: " … " + kit.BytesOf(int64(n)) + " more … "} }

func bytesIn(parts []kit.Part) (n int) {
	for _, p := range parts {
		n += p.To - p.From
	}
	return n
}

// LeftFrom is how many lines of a text are left out where it is shown up to one of its
// lines.
func (t *DiffText) LeftFrom(n int) int {
	left := len(t.Lines) - n + t.More
	for _, folded := range t.Fold[n:] {
		left += folded
	}
	return left
}

// brief is a text of which only is said what it is about, and how many lines it has.
func (t *DiffText) brief() *DiffText {
	if t.Row.Kind != ChangedRow {
		return t
	}
	return &DiffText{Row: t.Row, More: t.LeftFrom(0)}
}
