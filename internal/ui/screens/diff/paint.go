package diff

import (
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/worddiff"
)

// rowSigns are the signs of the kinds of rows.
var rowSigns = [...]struct {
	sign kit.Words
	st   kit.Style
}{SameRow: {"= ", kit.Faint}, ChangedRow: {"~ ", kit.Changed}, GoneRow: {"- ", kit.Deleted}, NewRow: {"+ ", kit.Inserted}}

// headLine returns the heading of a row. A row without changes consists of its heading only.
func (v *Diff) headLine(t *DiffText) kit.Line {
	sign := rowSigns[t.Row.Kind]
	head := kit.Line{Own: sign.sign + v.RowWords(&t.Row), Style: sign.st, Indent: kit.BodyIndent - 3}
	if t.Row.folded != nil {
		head.Own = sign.sign + "▸ " + v.RowWords(&t.Row) + unfolds
	}
	if t.Row.Kind != ChangedRow && len(t.Lines) > 0 {
		head.Parts = t.Lines[0]
	}
	return head
}

// rowLines lays out a row.
func (v *Diff) rowLines(t *DiffText, sp Spread) []kit.Line {
	var out []kit.Line
	if t.Row.Broke {
		out = append(out, kit.Line{Own: cacheBreaks, Style: kit.CacheBroken, Indent: kit.BodyIndent - 3})
	}
	if sp.sides {
		return v.sideLines(out, t, sp.width-2)
	}
	out = append(out, v.headLine(t))
	if t.Row.Kind != ChangedRow {
		return out
	}
	width := sp.width - kit.BodyIndent - 4
	for i, parts := range t.Lines {
		if len(out) > maxMessageLines {
			return leftLines(out, t.omittedFrom(i))
		}
		out = leftLines(out, t.Fold[i])
		for _, wrapped := range WrapParts(cutParts(parts, width), width, v.Marks) {
			out = append(out, kit.Line{Parts: wrapped, Indent: kit.BodyIndent, Marks: v.Marks})
		}
	}
	return leftLines(out, t.More)
}

// leftLines appends the number of omitted lines, if any.
func leftLines(out []kit.Line, n int) []kit.Line {
	if n == 0 {
		return out
	}
	return append(out, kit.Line{Own: "… " + kit.Plural(n, "line"), Style: kit.Faint, Indent: kit.BodyIndent})
}

// RowWords describes a row.
func (v *Diff) RowWords(r *diffRow) kit.Words {
	e := r.B
	if e == nil {
		e = r.A
	}
	tokens := " · " + kit.About(r.tokens, v.exact) + " tokens"
	switch {
	case r.Kind == SameRow:
		return kit.Plural(r.count, "message") + sameRows + span(r)
	case r.count > 1, r.folded != nil:
		return kit.Plural(r.count, moreMessage) + span(r) + tokens
	case r.Kind == ChangedRow:
		return nameOf(e) + " · " + kit.About(int64(r.A.Tokens), v.exact) + " → " + kit.About(int64(r.B.Tokens), v.exact) + " tokens"
	}
	return nameOf(e) + tokens + "  "
}

func nameOf(e *model.Entry) kit.Words {
	if e.Index < 0 {
		return "added " + safe.Name(e.Role)
	}
	return kit.Int(int(e.Index)+1) + " " + safe.Name(e.Role)
}

func span(r *diffRow) kit.Words {
	if r.first < 0 || r.first == r.last {
		return ""
	}
	return ", " + kit.Int(r.first+1) + " to " + kit.Int(r.last+1)
}

// WrapParts wraps a line of parts to width cells, preferably at blanks.
func WrapParts(parts []kit.Part, width int, marks bool) [][]kit.Part {
	lines := [][]kit.Part{nil}
	left := width
	for _, p := range parts {
		if w := text.Width(string(p.Own)); w > 0 {
			if w > left && left < width {
				lines, left = append(lines, nil), width
			}
			lines[len(lines)-1] = append(lines[len(lines)-1], p)
			left -= w
			continue
		}
		s := p.Text.String()
		room := 0
		if marks && p.Kind != worddiff.Same {
			room = 4
		}
		for from := p.From; from < p.To; {
			n, w := text.Fit(s[from:p.To], left-room)
			if from+n < p.To { // continues on the next line: cut after a blank
				if cut := lastBlank(s[from : from+n]); cut > 0 {
					n = cut
					w = text.Width(s[from : from+n])
				} else if left < width {
					n, w = 0, 0
				} else if n == 0 {
					n, w = len(s[from:p.To]), width
				}
			}
			last := len(lines) - 1
			if n > 0 {
				lines[last] = append(lines[last], kit.Part{Text: p.Text, From: from, To: from + n, Kind: p.Kind})
				from += n
				left -= w + room
			}
			if from < p.To {
				lines = append(lines, nil)
				left = width
			}
		}
	}
	return lines
}

// lastBlank returns the index after the last blank of s, or 0.
func lastBlank(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == ' ' {
			return i + 1
		}
	}
	return 0
}
