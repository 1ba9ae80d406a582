package diff

import (
	"agentlens/internal/library/rundiff"
	"agentlens/internal/model"
)

// Bounds of a diff on the screen.
const (
	diffRows    = 2000     // rows that differ; the rest is counted
	diffBytes   = 64 << 20 // of the texts of changed messages; the rest is counted too
	DiffStretch = 12       // messages of one stretch of dropped or new ones that are listed
	diffContext = 2        // lines of an unchanged part that are shown at each end
	DiffLong    = 16       // lines of a changed part that are shown
)

// Mode says what is held against what.
type Mode uint8

const (
	FullAgainstView Mode = iota
	CallAgainstNext
	numDiffModes // that the key d goes through
	CallAgainstCall
	runAgainstRun
)

// rowKind is what became of a message from one list to the other.
type rowKind uint8

const (
	SameRow rowKind = iota
	ChangedRow
	GoneRow
	NewRow
)

// A DiffRow is one message of a diff, or a stretch of the same kind.
type DiffRow struct {
	Kind   rowKind
	A, B   *model.Entry // nil where a side has none
	count  int          // messages of a stretch; 1 for one
	first  int          // message it begins with, or -1
	last   int
	tokens int64
	by     string
	why    string
	Broke  bool      // from here on the old view is not a prefix of the new one
	folded []DiffRow // of a stretch of dropped or new ones: its messages
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

// RowsOf holds two lists of messages against each other.
func RowsOf(a, b []*model.Entry) []DiffRow {
	list := rundiff.Views(a, b)
	rows := make([]DiffRow, 0, len(list))
	at := func(side []*model.Entry, i int) *model.Entry {
		if i < 0 {
			return nil
		}
		return side[i]
	}
	for _, r := range list {
		rows = append(rows, rowOf(rowKinds[r.Kind], at(a, r.A), at(b, r.B)))
	}
	return rows
}

var rowKinds = [...]rowKind{rundiff.Same: SameRow, rundiff.Changed: ChangedRow, rundiff.Gone: GoneRow, rundiff.New: NewRow}

func rowOf(kind rowKind, a, b *model.Entry) DiffRow {
	e := b
	if b == nil {
		e = a
	}
	r := DiffRow{Kind: kind, A: a, B: b, count: 1, first: int(e.Index), last: int(e.Index), tokens: int64(e.Tokens), by: e.By, why: e.Reason}
	return r
}

// stretches joins what is the same, and what is long of one kind.
func stretches(rows []DiffRow) []DiffRow {
	var out []DiffRow
	broke := false
	for i := 0; i < len(rows); {
		end := i + 1
		for end < len(rows) && rows[end].Kind == rows[i].Kind && rows[end].by == rows[i].by {
			end++
		}
		kind := rows[i].Kind
		at := len(out)
		switch {
		case kind == SameRow:
			out = append(out, joined(rows[i:end]))
		case kind != ChangedRow && end-i > DiffStretch:
			out = append(out, rows[i:i+DiffStretch-1]...)
			out = append(out, foldRows(rows[i+DiffStretch-1:end]))
		default:
			out = append(out, rows[i:end]...)
		}
		if !broke && (kind == GoneRow || kind == ChangedRow) {
			broke = true
			out[at].Broke = true
		}
		i = end
	}
	return out
}

// foldRows joins rows to one that unfolds.
func foldRows(rows []DiffRow) DiffRow {
	r := joined(rows)
	r.folded = rows
	return r
}

func joined(rows []DiffRow) DiffRow {
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
