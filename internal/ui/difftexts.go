package ui

import (
	"context"
	"errors"
	"strings"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/ui/worddiff"
)

// This file reads what the rows of a diff show.

// A diffText is what is shown of a row: lines of parts, before they are wrapped.
type diffText struct {
	row   diffRow
	lines [][]part // of a changed message, and the summary of another
	fold  []int    // lines left out before each line, 0 for none
	more  int      // lines left out at the end
	of    int      // the fold it is, or was unfolded from; 0 for none
	laid  []line   // laid out for the screen
}

// A diffReader reads both sides of a diff: of one thread, or each of its own.
type diffReader struct{ a, b *reader }

// of is the side an entry of a row is read from.
func (d diffReader) of(row *diffRow) (*reader, *model.Entry) {
	if row.b != nil {
		return d.b, row.b
	}
	return d.a, row.a
}

// texts reads what the rows show. It is for commands.
func (d diffReader) texts(ctx context.Context, rows []diffRow) (list []diffText, left int) {
	shown, bytes := 0, 0
	for i := range rows {
		if ctx.Err() != nil {
			return list, len(rows) - i
		}
		row := rows[i]
		t := diffText{row: row}
		if row.kind != sameRow {
			if shown++; shown > diffRows || bytes > diffBytes {
				return list, len(rows) - i
			}
		}
		switch {
		case row.count > 1 || row.folded != nil || row.kind == sameRow:
		case row.kind == changedRow:
			t.lines, t.fold, t.more = d.changedLines(row)
			bytes += t.holds()
		default:
			r, e := d.of(&row)
			s := r.summarise(r.wantOf(e))
			t.lines = [][]part{{{text: s.text, to: len(s.text.String())}}}
			for _, c := range s.calls {
				t.lines[0] = append(t.lines[0], part{text: r.gate.Literal(" → "), to: len(" → ")}, part{text: c.name, to: len(c.name.String())})
			}
			t.fold = []int{0}
		}
		list = append(list, t)
	}
	return list, 0
}

// holds is about how many bytes a changed message keeps in memory: both its texts.
func (t *diffText) holds() int {
	var n [2]int
	for _, l := range t.lines {
		for _, p := range l {
			side := 0
			if p.kind == worddiff.Inserted {
				side = 1
			}
			n[side] = max(n[side], len(p.text.String()))
		}
	}
	return n[0] + n[1]
}

// changedLines compares what two views made of a message, word by word.
func (d diffReader) changedLines(row diffRow) (lines [][]part, fold []int, more int) {
	old, err := d.a.flat(row.a)
	now, err2 := d.b.flat(row.b)
	if err = errors.Join(err, err2); err != nil {
		says := d.a.line("unreadable: " + oneLine(err.Error()))
		return [][]part{{{text: says, to: len(says.String())}}}, []int{0}, 0
	}
	for _, p := range worddiff.Diff(old.String(), now.String()) {
		text := old
		if p.Kind == worddiff.Inserted {
			text = now
		}
		lines = addPiece(lines, text, p)
	}
	return folded(lines)
}

// addPiece adds a piece of a text to lines, cut at newlines.
func addPiece(lines [][]part, text export.Safe, p worddiff.Piece) [][]part {
	if len(lines) == 0 {
		lines = append(lines, nil)
	}
	s := text.String()
	for from := p.From; from < p.To; {
		end, next := p.To, p.To
		if n := strings.IndexByte(s[from:p.To], '\n'); n >= 0 {
			end, next = from+n, from+n+1
		}
		last := len(lines) - 1
		if end > from || p.Kind != worddiff.Same {
			lines[last] = append(lines[last], part{text: text, from: from, to: end, kind: p.Kind})
		}
		if next > end {
			lines = append(lines, nil)
		}
		from = next
	}
	return lines
}

// folded leaves out lines far from any change, and what is too long of one.
func folded(lines [][]part) (kept [][]part, fold []int, more int) {
	touched := func(i int) bool {
		for _, p := range lines[i] {
			if p.kind != worddiff.Same {
				return true
			}
		}
		return false
	}
	near := make([]bool, len(lines))
	for i := range lines {
		if touched(i) {
			for k := max(i-diffContext, 0); k <= min(i+diffContext, len(lines)-1); k++ {
				near[k] = true
			}
		}
	}
	skipped, stretch := 0, 0
	for i, l := range lines {
		if stretch++; !near[i] {
			stretch = 0
		}
		if !near[i] || stretch > diffLong && i+diffContext < len(lines) && near[min(i+diffContext, len(lines)-1)] {
			skipped++
			continue
		}
		kept, fold = append(kept, l), append(fold, skipped)
		skipped = 0
	}
	return kept, fold, skipped
}
