package diff

import (
	"slices"

	"agentlens/internal/ui/kit"
)

// This file keeps the lines of a diff, row by row, so that only what is new has to be
// laid out.

// A Spread is how a diff is laid out.
type Spread struct {
	width int  // of the screen, in cells
	sides bool // in two columns
}

func (v *Diff) Spread() Spread { return Spread{v.Width, v.Sides && v.Width >= leastSides} }

// Resize lays a short diff out for a screen. Of a long one that was never laid out it
// says what the rows are about.
func (v *Diff) Resize(w, h int) {
	v.Rows = max(h-2, 1)
	if v.Width == w {
		return
	}
	v.Width = w
	v.layShort()
}

func (v *Diff) layShort() {
	sp := v.Spread()
	switch {
	case v.IsShort():
		v.takeRows(sp, v.layRows(v.Texts, sp))
	case v.Laid.width == 0:
		heads := make([][]kit.Line, len(v.Texts))
		for i := range v.Texts {
			heads[i] = v.RowLines(v.Texts[i].brief(), sp)
		}
		v.takeRows(Spread{}, heads)
	}
}

func (v *Diff) IsShort() bool {
	left := kit.LayAtOnce
	for i := range v.Texts {
		for _, parts := range v.Texts[i].Lines {
			for k := range parts {
				left -= parts[k].To - parts[k].From
			}
		}
		if left < 0 {
			return false
		}
	}
	return true
}

// Unlaid begins to lay all rows out, where they are laid out for another screen.
func (v *Diff) Unlaid() func() func() {
	sp, texts, splices := v.Spread(), v.Texts, v.splices
	if v.Laid == sp {
		return nil
	}
	return func() func() {
		rows := v.layRows(texts, sp)
		return func() {
			if v.splices == splices {
				v.takeRows(sp, rows)
			}
		}
	}
}

// layRows lays rows out. It changes nothing, and may run in a command.
func (v *Diff) layRows(texts []DiffText, sp Spread) [][]kit.Line {
	rows := make([][]kit.Line, len(texts))
	count := 0
	for i := range texts {
		t := &texts[i]
		if count > kit.PagerLines.All {
			t = t.brief()
		}
		rows[i] = v.RowLines(t, sp)
		count += len(rows[i])
	}
	return rows
}

// takeRows takes over the lines of all rows. The change that is stood on stays where it
// is on the screen, else what is at its top.
func (v *Diff) takeRows(sp Spread, rows [][]kit.Line) {
	y := v.Mark - v.Top
	at, below := v.RowAt(v.Top)
	for i := range rows {
		v.Texts[i].Laid = rows[i]
	}
	v.Laid = sp
	v.assemble()
	if v.At >= 0 {
		v.stand(v.At)
	}
	if v.At >= 0 && y >= 0 && y < v.Rows {
		v.Top = v.Mark - y
	} else {
		if at >= 0 && at < len(rows) {
			below = min(below, len(rows[at])-1)
		}
		v.Top = v.lineOf(at) + below
	}
	v.Scroll(0)
}

// RowAt is the row that a line is of, and which line of it; -1 before the first.
func (v *Diff) RowAt(n int) (row, below int) {
	if n -= diffHead; n < 0 {
		return -1, n + diffHead
	}
	for i := range v.Texts {
		if n < len(v.Texts[i].Laid) {
			return i, n
		}
		n -= len(v.Texts[i].Laid)
	}
	return len(v.Texts), n
}

// lineOf is the first line of a row.
func (v *Diff) lineOf(row int) int {
	if row < 0 {
		return 0
	}
	n := diffHead
	for i := range v.Texts[:row] {
		n += len(v.Texts[i].Laid)
	}
	return n
}

// splice puts texts in the place of some, and stands on the first of them.
func (v *Diff) splice(from, to int, texts []DiffText) {
	sp := v.Laid
	if sp.width == 0 {
		sp = v.Spread()
	}
	for i := range texts {
		texts[i].Laid = v.RowLines(&texts[i], sp)
	}
	v.Texts = slices.Concat(v.Texts[:from], texts, v.Texts[to:])
	v.splices++
	top := v.Top
	v.assemble()
	change := 0
	for i := range from {
		if v.Texts[i].Row.Kind != SameRow {
			change++
		}
	}
	v.stand(change)
	v.Top = min(max(top, v.Mark-v.Rows+1), v.Mark)
	v.Scroll(0)
}

// diffHead is how many lines stand above the rows.
const diffHead = 1

// assemble joins the lines of the rows.
func (v *Diff) assemble() {
	count := diffHead + 1
	for i := range v.Texts {
		count += len(v.Texts[i].Laid)
	}
	out := append(make([]kit.Line, 0, count), kit.Line{Own: v.Summary, Style: kit.Title, Indent: kit.BodyIndent - 3})
	v.Starts, v.targets = nil, nil
	for i := range v.Texts {
		t := &v.Texts[i]
		if t.Row.Kind != SameRow {
			start := len(out)
			if t.Row.Broke {
				start++
			}
			v.Starts, v.targets = append(v.Starts, start), append(v.targets, t.Row.first)
		}
		out = append(out, t.Laid...)
	}
	if len(v.Starts) == 0 {
		out = append(out, kit.Line{Own: "nothing differs", Style: kit.Dim, Indent: kit.BodyIndent - 3})
	}
	if v.Left > 0 {
		out = append(out, kit.Line{Own: "… " + kit.Plural(v.Left, "more row") + " are not shown: there are too many", Style: kit.Changed, Indent: kit.BodyIndent - 3})
	}
	v.Hunt.End()
	v.Lines, v.Hit = out, -1
}
