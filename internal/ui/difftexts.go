package ui

import (
	"context"
	"errors"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/worddiff"
)

// This file reads what the rows of a diff show.

// A part is a piece of a line of a diff: bytes of a text that came through the gate.
type part struct {
	text     safe.Safe
	from, to int
	kind     worddiff.Kind
	own      words // in place of the text
}

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

// wantOf is what is to be read of an entry.
func (r *reader) wantOf(e *model.Entry) want {
	w := want{key: bodyKey{index: e.Index}}
	if e.Index >= 0 {
		w.message = r.thread.At(int(e.Index))
	}
	if e.Index < 0 || variantOf(e) != 0 {
		w.entry = e
	}
	return w
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

// flat is all of a message in a view as one text, as it is recorded: laid out anew,
// a whole text and a cut one would differ in every line.
func (r *reader) flat(e *model.Entry) (safe.Safe, error) {
	w := r.wantOf(e)
	if w.message == nil {
		return r.whole(insertedText(w, r.run)), nil
	}
	m := w.message
	text, err := r.run.Text(m)
	if err != nil {
		return safe.Safe{}, err
	}
	masked := r.whole(text)
	if w.entry != nil && w.entry.Text != nil {
		masked = r.pieces(text, w.entry.Text)
	}
	calls := callsOf(m, w.entry)
	thinking := ""
	if w.entry == nil || !w.entry.NoThinking {
		if thinking, err = r.run.Thinking(m); err != nil {
			return safe.Safe{}, err
		}
	}
	if len(calls) == 0 && thinking == "" {
		return masked, nil
	}
	var b strings.Builder
	if thinking != "" {
		b.WriteString("∴ " + r.whole(thinking).String() + "\n")
	}
	b.WriteString(masked.String())
	for _, c := range calls {
		args := ""
		if w.entry == nil || !w.entry.EmptyArgs {
			if args, err = r.run.Body(c.Args); err != nil {
				return safe.Safe{}, err
			}
		}
		b.WriteString("\n→ " + r.line(c.Name).String() + "(" + r.whole(args).String() + ")")
	}
	return r.whole(b.String()), nil
}

// addPiece adds a piece of a text to lines, cut at newlines.
func addPiece(lines [][]part, text safe.Safe, p worddiff.Piece) [][]part {
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
