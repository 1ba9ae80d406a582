package ui

import (
	"context"
	"errors"
	"strings"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/ui/worddiff"
)

// Bounds of a diff on the screen.
const (
	diffRows    = 2000 // rows that differ; the rest is counted
	diffRun     = 12   // messages of one run of dropped or new ones that are listed
	diffContext = 2    // lines of an unchanged part that are shown at each end
	diffLong    = 16   // lines of a changed part that are shown
)

// diffMode says what is held against what.
type diffMode uint8

const (
	fullAgainstView diffMode = iota
	callAgainstNext
	numDiffModes // that the key d goes through
	runAgainstRun
)

var diffNames = [numDiffModes]words{"full history against what the provider saw", "this call against the next"}

// rowKind is what became of a message from one list to the other.
type rowKind uint8

const (
	sameRow rowKind = iota
	changedRow
	goneRow
	newRow
)

// A diffRow is one message of a diff, or a run of the same kind.
type diffRow struct {
	kind   rowKind
	a, b   *model.Entry // nil where a side has none
	count  int          // messages of a run; 1 for one
	first  int          // message it begins with, or -1
	last   int
	tokens int64
	by     string
	why    string
	broke  bool // from here on the old view is not a prefix of the new one
}

// sent lists what a view sends, in order.
func sentOf(v *model.View) []*model.Entry {
	var list []*model.Entry
	for i := range v.Entries {
		if e := &v.Entries[i]; e.Fate != model.WasDropped {
			list = append(list, e)
		}
	}
	return list
}

// givenOf lists the history that a view was made of, as it was recorded.
func givenOf(v *model.View) []*model.Entry {
	var list []*model.Entry
	next := int32(0)
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Index < next { // added, or moved
			continue
		}
		next = e.Index + 1
		list = append(list, &model.Entry{Index: e.Index, Role: e.Role, Tokens: e.WasTokens, By: e.By, Reason: e.Reason})
	}
	return list
}

// mergeRows holds two lists of messages against each other by identity.
func mergeRows(a, b []*model.Entry) []diffRow {
	var rows []diffRow
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case j == len(b), i < len(a) && j < len(b) && a[i].Index >= 0 && b[j].Index >= 0 && a[i].Index < b[j].Index:
			rows = append(rows, rowOf(goneRow, a[i], nil))
			i++
		case i == len(a), b[j].Index < 0 && !(a[i].Index < 0 && variantOf(a[i]) == variantOf(b[j])):
			rows = append(rows, rowOf(newRow, nil, b[j]))
			j++
		case a[i].Index == b[j].Index:
			kind := sameRow
			if variantOf(a[i]) != variantOf(b[j]) {
				kind = changedRow
			}
			rows = append(rows, rowOf(kind, a[i], b[j]))
			i++
			j++
		case a[i].Index < 0:
			rows = append(rows, rowOf(goneRow, a[i], nil))
			i++
		default:
			rows = append(rows, rowOf(newRow, nil, b[j]))
			j++
		}
	}
	return rows
}

func rowOf(kind rowKind, a, b *model.Entry) diffRow {
	e := b
	if b == nil {
		e = a
	}
	r := diffRow{kind: kind, a: a, b: b, count: 1, first: int(e.Index), last: int(e.Index), tokens: int64(e.Tokens), by: e.By, why: e.Reason}
	return r
}

// runRows joins what is the same, and what is long of one kind, into runs.
func runRows(rows []diffRow) []diffRow {
	var out []diffRow
	broke := false
	for i := 0; i < len(rows); {
		end := i + 1
		for end < len(rows) && rows[end].kind == rows[i].kind && rows[end].by == rows[i].by {
			end++
		}
		kind := rows[i].kind
		at := len(out)
		switch {
		case kind == sameRow:
			out = append(out, joined(rows[i:end]))
		case kind != changedRow && end-i > diffRun:
			out = append(out, rows[i:i+diffRun-1]...)
			out = append(out, joined(rows[i+diffRun-1:end]))
		default:
			out = append(out, rows[i:end]...)
		}
		if !broke && (kind == goneRow || kind == changedRow) {
			broke = true
			out[at].broke = true
		}
		i = end
	}
	return out
}

func joined(rows []diffRow) diffRow {
	r := rows[0]
	for i := range rows[1:] {
		n := &rows[i+1]
		r.count++
		r.tokens += n.tokens
		r.last = max(r.last, n.last)
		if r.first < 0 {
			r.first = n.first
		}
	}
	return r
}

// A part is a piece of a line of a diff: bytes of a text that came through the gate.
type part struct {
	text     export.Safe
	from, to int
	kind     worddiff.Kind
}

// A diffText is what is shown of a row: lines of parts, before they are wrapped.
type diffText struct {
	row   diffRow
	lines [][]part // of a changed message, and the summary of another
	fold  []int    // lines left out before each line, 0 for none
	more  int      // lines left out at the end
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
	shown := 0
	for i := range rows {
		if ctx.Err() != nil {
			return list, len(rows) - i
		}
		row := rows[i]
		t := diffText{row: row}
		if row.kind != sameRow {
			if shown++; shown > diffRows {
				return list, len(rows) - i
			}
		}
		switch {
		case row.count > 1 || row.kind == sameRow:
		case row.kind == changedRow:
			t.lines, t.fold, t.more = d.changedLines(row)
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
func (r *reader) flat(e *model.Entry) (export.Safe, error) {
	w := r.wantOf(e)
	if w.message == nil {
		return r.whole(insertedText(w, r.run)), nil
	}
	m := w.message
	text, err := r.run.Text(m)
	if err != nil {
		return export.Safe{}, err
	}
	safe := r.whole(text)
	if w.entry != nil && w.entry.Text != nil {
		safe = r.pieces(text, w.entry.Text)
	}
	calls := callsOf(m, w.entry)
	thinking := ""
	if w.entry == nil || !w.entry.NoThinking {
		if thinking, err = r.run.Thinking(m); err != nil {
			return export.Safe{}, err
		}
	}
	if len(calls) == 0 && thinking == "" {
		return safe, nil
	}
	var b strings.Builder
	if thinking != "" {
		b.WriteString("∴ " + r.whole(thinking).String() + "\n")
	}
	b.WriteString(safe.String())
	for _, c := range calls {
		args := ""
		if w.entry == nil || !w.entry.EmptyArgs {
			if args, err = r.run.Body(c.Args); err != nil {
				return export.Safe{}, err
			}
		}
		b.WriteString("\n→ " + r.line(c.Name).String() + "(" + r.whole(args).String() + ")")
	}
	return r.whole(b.String()), nil
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
			lines[last] = append(lines[last], part{text, from, end, p.Kind})
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
	skipped, run := 0, 0
	for i, l := range lines {
		if run++; !near[i] {
			run = 0
		}
		if !near[i] || run > diffLong && i+diffContext < len(lines) && near[min(i+diffContext, len(lines)-1)] {
			skipped++
			continue
		}
		kept, fold = append(kept, l), append(fold, skipped)
		skipped = 0
	}
	return kept, fold, skipped
}
