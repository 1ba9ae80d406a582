package ui

import "slices"

// This file keeps the lines of a diff, row by row, so that only what is new has to be
// laid out.

// A spread is how a diff is laid out.
type spread struct {
	width int  // of the screen, in cells
	sides bool // in two columns
}

func (v *diffView) spread() spread { return spread{v.width, v.sides && v.width >= leastSides} }

// resize lays a short diff out for a screen. Of a long one that was never laid out it
// says what the rows are about.
func (v *diffView) resize(w, h int) {
	v.rows = max(h-2, 1)
	if v.width == w {
		return
	}
	v.width = w
	v.layShort()
}

func (v *diffView) layShort() {
	sp := v.spread()
	switch {
	case v.isShort():
		v.takeRows(sp, v.layRows(v.texts, sp))
	case v.laid.width == 0:
		heads := make([][]line, len(v.texts))
		for i := range v.texts {
			heads[i] = v.rowLines(v.texts[i].brief(), sp)
		}
		v.takeRows(spread{}, heads)
	}
}

func (v *diffView) isShort() bool {
	left := layAtOnce
	for i := range v.texts {
		for _, parts := range v.texts[i].lines {
			for k := range parts {
				left -= parts[k].to - parts[k].from
			}
		}
		if left < 0 {
			return false
		}
	}
	return true
}

// unlaid begins to lay all rows out, where they are laid out for another screen.
func (v *diffView) unlaid() func() func() {
	sp, texts, splices := v.spread(), v.texts, v.splices
	if v.laid == sp {
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
func (v *diffView) layRows(texts []diffText, sp spread) [][]line {
	rows := make([][]line, len(texts))
	count := 0
	for i := range texts {
		t := &texts[i]
		if count > pagerLines.all {
			t = t.brief()
		}
		rows[i] = v.rowLines(t, sp)
		count += len(rows[i])
	}
	return rows
}

// takeRows takes over the lines of all rows. The change that is stood on stays where it
// is on the screen, else what is at its top.
func (v *diffView) takeRows(sp spread, rows [][]line) {
	y := v.mark - v.top
	at, below := v.rowAt(v.top)
	for i := range rows {
		v.texts[i].laid = rows[i]
	}
	v.laid = sp
	v.assemble()
	if v.at >= 0 {
		v.stand(v.at)
	}
	if v.at >= 0 && y >= 0 && y < v.rows {
		v.top = v.mark - y
	} else {
		if at >= 0 && at < len(rows) {
			below = min(below, len(rows[at])-1)
		}
		v.top = v.lineOf(at) + below
	}
	v.scroll(0)
}

// rowAt is the row that a line is of, and which line of it; -1 before the first.
func (v *diffView) rowAt(n int) (row, below int) {
	if n -= diffHead; n < 0 {
		return -1, n + diffHead
	}
	for i := range v.texts {
		if n < len(v.texts[i].laid) {
			return i, n
		}
		n -= len(v.texts[i].laid)
	}
	return len(v.texts), n
}

// lineOf is the first line of a row.
func (v *diffView) lineOf(row int) int {
	if row < 0 {
		return 0
	}
	n := diffHead
	for i := range v.texts[:row] {
		n += len(v.texts[i].laid)
	}
	return n
}

// splice puts texts in the place of some, and stands on the first of them.
func (v *diffView) splice(from, to int, texts []diffText) {
	sp := v.laid
	if sp.width == 0 {
		sp = v.spread()
	}
	for i := range texts {
		texts[i].laid = v.rowLines(&texts[i], sp)
	}
	v.texts = slices.Concat(v.texts[:from], texts, v.texts[to:])
	v.splices++
	top := v.top
	v.assemble()
	change := 0
	for i := range from {
		if v.texts[i].row.kind != sameRow {
			change++
		}
	}
	v.stand(change)
	v.top = min(max(top, v.mark-v.rows+1), v.mark)
	v.scroll(0)
}

// diffHead is how many lines stand above the rows.
const diffHead = 1

// assemble joins the lines of the rows.
func (v *diffView) assemble() {
	count := diffHead + 1
	for i := range v.texts {
		count += len(v.texts[i].laid)
	}
	out := append(make([]line, 0, count), line{own: v.summary, style: title, indent: bodyIndent - 3})
	v.starts, v.targets = nil, nil
	for i := range v.texts {
		t := &v.texts[i]
		if t.row.kind != sameRow {
			start := len(out)
			if t.row.broke {
				start++
			}
			v.starts, v.targets = append(v.starts, start), append(v.targets, t.row.first)
		}
		out = append(out, t.laid...)
	}
	if len(v.starts) == 0 {
		out = append(out, line{own: "nothing differs", style: dim, indent: bodyIndent - 3})
	}
	if v.left > 0 {
		out = append(out, line{own: "… " + plural(v.left, "more row") + " are not shown: there are too many", style: changed, indent: bodyIndent - 3})
	}
	v.hunt.end()
	v.lines, v.hit = out, -1
}
