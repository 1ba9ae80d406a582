package findings

import (
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// A Line is a line of the docked findings.
type Line struct {
	Nth      int // number of the finding, from 0, or -1
	x        *view.Finding
	first    bool
	from, to int
	place    int // width of the column of places, or 0
	note     kit.Words
	style    kit.Style
}

// mostDocked is the number of lines of the longest docked finding.
const mostDocked = 3

// Dock lays out the findings on a pane of width cells and rows lines. A finding has as many lines as
// the pane has room for, at most three.
func Dock(s State, width, rows int) (lines []Line) {
	switch {
	case s.Failed.String() != "":
		return []Line{{Nth: -1, note: "the audit failed; lens audit says why", style: kit.Failure}}
	case s.Found == nil || len(s.Found.List) == 0:
		if s.Progress != "" {
			return nil
		}
		return []Line{{Nth: -1, note: "no findings", style: kit.Dim}}
	}
	list := s.Found.List
	each, place := min(max(rows/len(list), 1), mostDocked), placeCells(list, width)
	for i := range list {
		x := &list[i]
		spans, _ := text.Wrap(nil, x.Title.String(), max(width-moneyCells-3-place, 8), each)
		for n, sp := range spans {
			to := sp.To
			if n == each-1 {
				to = len(x.Title.String()) // painting cuts the end
			}
			lines = append(lines, Line{Nth: i, x: x, first: n == 0, from: sp.From, to: to, place: place})
		}
	}
	if s.Found.More > 0 {
		lines = append(lines, Line{Nth: -1, note: kit.Plural(s.Found.More, "smaller finding"), style: kit.Faint})
	}
	return lines
}

// Paint paints a line. here marks the finding that n visited last.
func (d *Line) Paint(l *kit.LineWriter, here bool) {
	if here {
		l.Words("▎", kit.Accent)
	} else {
		l.Blank(1)
	}
	switch {
	case d.x == nil:
		l.Words(d.note, d.style)
		return
	case d.first:
		head(l, d.x)
	default:
		l.Blank(moneyCells + 3)
	}
	l.Within(l.Left-d.place, func() { l.Span(d.x.Title, d.from, d.to, kit.Plain) })
	if d.first && d.place > 0 {
		l.To(d.place - placeGap)
		l.Words(d.x.Place, kit.Faint)
	}
}

// placeGap is the number of blanks before a place, placesFrom the width of a pane with places, in cells.
const placeGap, placesFrom = 2, 60

// placeCells returns the width of the column of places, with the blanks before it.
func placeCells(list []view.Finding, width int) (cells int) {
	if width < placesFrom {
		return 0
	}
	for i := range list {
		cells = max(cells, text.Width(string(list[i].Place)))
	}
	if cells > 0 {
		cells += placeGap
	}
	return cells
}
