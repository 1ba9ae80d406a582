package ui

import (
	"strconv"

	"agentlens/internal/model"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/worddiff"
)

// This file lays the rows of a diff out in lines.

var rowSigns = [...]struct {
	sign words
	st   style
}{sameRow: {"= ", faint}, changedRow: {"~ ", changed}, goneRow: {"- ", deleted}, newRow: {"+ ", inserted}}

// headLine says what a row is about; one that is not changed is told in it as a whole.
func (v *diffView) headLine(t *diffText) line {
	sign := rowSigns[t.row.kind]
	head := line{own: sign.sign + v.rowWords(&t.row), style: sign.st, indent: bodyIndent - 3}
	if t.row.folded != nil {
		head.own = sign.sign + "▸ " + v.rowWords(&t.row) + " · l unfolds"
	}
	if t.row.kind != changedRow && len(t.lines) > 0 {
		head.parts = t.lines[0]
	}
	return head
}

// rowLines lays a row out.
func (v *diffView) rowLines(t *diffText, sp spread) []line {
	var out []line
	if t.row.broke {
		out = append(out, line{own: "── the prefix breaks here: from here on nothing cached of the call before can be used ──", style: changed, indent: bodyIndent - 3})
	}
	if sp.sides {
		return v.sideLines(out, t, sp.width-2)
	}
	out = append(out, v.headLine(t))
	if t.row.kind != changedRow {
		return out
	}
	width := sp.width - bodyIndent - 4
	for i, parts := range t.lines {
		if len(out) > messageTall {
			return leftLines(out, t.leftFrom(i))
		}
		out = leftLines(out, t.fold[i])
		for _, wrapped := range wrapParts(cutParts(parts, width), width, v.marks) {
			out = append(out, line{parts: wrapped, indent: bodyIndent, marks: v.marks})
		}
	}
	return leftLines(out, t.more)
}

// leftLines says how many lines of a message are left out in a place.
func leftLines(out []line, n int) []line {
	if n == 0 {
		return out
	}
	return append(out, line{own: "… " + plural(n, "line"), style: faint, indent: bodyIndent})
}

// rowWords says what a row is about.
func (v *diffView) rowWords(r *diffRow) words {
	e := r.b
	if e == nil {
		e = r.a
	}
	tokens := " · " + about(r.tokens, v.exact) + " tokens"
	switch {
	case r.kind == sameRow:
		return plural(r.count, "message") + " the same" + span(r)
	case r.count > 1, r.folded != nil:
		return plural(r.count, "more message") + span(r) + tokens
	case r.kind == changedRow:
		return nameOf(e) + " · " + about(int64(r.a.Tokens), v.exact) + " → " + about(int64(r.b.Tokens), v.exact) + " tokens"
	}
	return nameOf(e) + tokens + "  "
}

func nameOf(e *model.Entry) words {
	if e.Index < 0 {
		return "added " + words(e.Role.String())
	}
	return words(strconv.Itoa(int(e.Index))) + " " + words(e.Role.String())
}

func span(r *diffRow) words {
	if r.first < 0 || r.first == r.last {
		return ""
	}
	return ", " + words(strconv.Itoa(r.first)) + " to " + words(strconv.Itoa(r.last))
}

// wrapParts breaks a line of parts into lines of at most width cells, at blanks where
// there are some.
func wrapParts(parts []part, width int, marks bool) [][]part {
	lines := [][]part{nil}
	left := width
	for _, p := range parts {
		if w := text.Width(string(p.own)); w > 0 {
			if w > left && left < width {
				lines, left = append(lines, nil), width
			}
			lines[len(lines)-1] = append(lines[len(lines)-1], p)
			left -= w
			continue
		}
		s := p.text.String()
		room := 0
		if marks && p.kind != worddiff.Same {
			room = 4
		}
		for from := p.from; from < p.to; {
			n, w := text.Fit(s[from:p.to], left-room)
			if from+n < p.to { // it goes on in the next line: cut after a blank
				if cut := lastBlank(s[from : from+n]); cut > 0 {
					n = cut
					w = text.Width(s[from : from+n])
				} else if left < width {
					n, w = 0, 0
				} else if n == 0 {
					n, w = len(s[from:p.to]), width
				}
			}
			last := len(lines) - 1
			if n > 0 {
				lines[last] = append(lines[last], part{text: p.text, from: from, to: from + n, kind: p.kind})
				from += n
				left -= w + room
			}
			if from < p.to {
				lines = append(lines, nil)
				left = width
			}
		}
	}
	return lines
}

// lastBlank is the end of the last blank of s, 0 for none.
func lastBlank(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == ' ' {
			return i + 1
		}
	}
	return 0
}
