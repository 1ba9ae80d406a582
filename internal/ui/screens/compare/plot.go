package compare

import (
	"unicode/utf8"

	"agentlens/internal/curate/score"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
)

// Bounds of the plot, in cells and lines.
const (
	leastPlot     = 40
	mostPlot      = 60
	leastPlotRows = 7
	plotMargin    = 5 // cells of the labels at the left
)

// A plotCell is one cell of the plot.
type plotCell struct {
	sign kit.Words
	st   kit.Style
}

// A plotPoint is the place of a row in the plot, from 0 to 1, and its sign. If several points share a cell,
// the one of the highest rank is shown.
type plotPoint struct {
	x, y float64
	cell plotCell
	rank int
}

// plot draws needed later against cost: rows lines of w cells. It returns nil if fewer than two
// rows have both figures. Without prices for all rows it draws against tokens.
func (v *Table) plot(w, rows int) [][]plotCell {
	all := CompareColumns()
	x, y := &all[0], &all[2]
	for i := range v.Rows {
		if c := &v.Rows[i]; c.scored && (!c.Cost.Known() || c.Cost.Unpriced > 0) {
			x = &all[1]
		}
	}
	var points []plotPoint
	var low, high, most float64
	for i := range v.Rows {
		c := &v.Rows[i]
		if !c.scored {
			continue
		}
		cost, known := x.value(c)
		lost, counted := y.value(c)
		if !known || !counted {
			continue
		}
		if len(points) == 0 {
			low, high = cost, cost
		}
		low, high, most = min(low, cost), max(high, cost), max(most, lost)
		points = append(points, plotPoint{cost, lost, plotCell{"·", kit.Dim}, 0})
		p := &points[len(points)-1]
		switch {
		case i == v.Cursor:
			p.cell, p.rank = plotCell{"■", kit.Accent}, 3
		case c.Chain == "":
			p.cell, p.rank = plotCell{recordedSign, kit.Title}, 2
		case c.best:
			p.cell, p.rank = plotCell{bestSign, kit.Accent}, 1
		}
	}
	if len(points) < 2 || high <= low {
		return nil
	}
	g := newGrid(w, rows)
	g.words(0, 0, plotTitle+lower(x.Name)+" · ■ cursor", kit.Dim)
	g.words(0, 1, percent(v, most), kit.Faint)
	g.words(0, rows-2, percent(v, 0), kit.Faint)
	g.axes()
	for rank := range 4 {
		for _, p := range points {
			if p.rank == rank {
				g.put((p.x-low)/(high-low), share(p.y, most), p.cell)
			}
		}
	}
	left, right := v.extremes(x)
	g.words(plotMargin+1, rows-1, left, kit.Faint)
	g.words(w-text.Width(string(right)), rows-1, right, kit.Faint)
	return g.cells
}

// extremes returns the smallest and the largest value of a column, as words.
func (v *Table) extremes(m *measure) (least, most kit.Words) {
	var low, high float64
	for i := range v.Rows {
		c := &v.Rows[i]
		if !c.scored {
			continue
		}
		n, known := m.value(c)
		if !known {
			continue
		}
		if least == "" || n < low {
			low, least = n, c.Cell(m)
		}
		if most == "" || n > high {
			high, most = n, c.Cell(m)
		}
	}
	return least, most
}

func percent(v *Table, of float64) kit.Words { return v.Gated(score.Percent(of, true)) }

func share(n, most float64) float64 {
	if most <= 0 {
		return 0
	}
	return n / most
}

// lower returns the name of a column in a sentence.
func lower(name kit.Words) kit.Words {
	if name == "COST" {
		return "cost"
	}
	return "tokens"
}

// A grid is a rectangle of cells: a title, the plot with its axes, and the labels below.
type grid struct {
	w, h  int
	cells [][]plotCell
}

func newGrid(w, h int) *grid {
	g := &grid{w: w, h: h, cells: make([][]plotCell, h)}
	for y := range g.cells {
		g.cells[y] = make([]plotCell, w)
		for x := range g.cells[y] {
			g.cells[y][x] = plotCell{" ", kit.Plain}
		}
	}
	return g
}

// words writes w from cell (x, y) on, and drops what does not fit.
func (g *grid) words(x, y int, w kit.Words, st kit.Style) {
	for i, r := range w {
		if x < 0 || x >= g.w {
			return
		}
		g.cells[y][x] = plotCell{w[i : i+utf8.RuneLen(r)], st}
		x++
	}
}

func (g *grid) axes() {
	for y := 1; y < g.h-1; y++ {
		g.cells[y][plotMargin] = plotCell{"│", kit.Faint}
	}
}

// put puts a point at (x, y), each from 0 to 1, with 0 at the lower left.
func (g *grid) put(x, y float64, c plotCell) {
	wide, high := g.w-plotMargin-2, g.h-3
	g.cells[1+high-int(y*float64(high)+0.5)][plotMargin+1+int(x*float64(wide)+0.5)] = c
}
