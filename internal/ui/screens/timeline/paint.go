package timeline

import (
	"agentlens/internal/ui/chart"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
)

var eighths = [9]kit.Words{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// findingSign is the sign of the findings that the timeline marks.
const findingSign kit.Words = "⚠"

// signs are the marks of calls. A column with several marks shows only the first.
var signs = [...]struct {
	mark chart.Mark
	sign kit.Words
	name kit.Words
	st   kit.Style
}{
	{chart.Acted, "▾", "the strategy acted", kit.Added},
	{chart.Cut, "▼", "compaction or clearing", kit.Marker},
	{chart.Found, findingSign, "finding", kit.Changed},
	{chart.Fell, "▽", "prompt shrank, not recorded why", kit.Failure},
	{chart.Midway, "…", "begins mid-way", kit.Marker},
	{chart.Failed, "✗", "failure", kit.Failure},
	{chart.Broke, "!", "cache break", kit.CacheBroken},
}

// MarkNames returns the names of marks, as the legend has them, most important first.
func MarkNames(marks chart.Mark) (list []kit.Words) {
	for i := range signs {
		if marks&signs[i].mark != 0 {
			list = append(list, signs[i].name)
		}
	}
	return list
}

// signOf returns the index in signs of the sign of a column, or -1. It ignores the marks of another row.
func signOf(c *chart.Column, elsewhere chart.Mark) int {
	for i := range signs {
		if c.Marks&^elsewhere&signs[i].mark != 0 {
			return i
		}
	}
	return -1
}

// Widths in cells: of the names of the rows and of the words after the columns, and the least width of
// the screen that shows both.
const (
	gutterWidth = 9
	tailWidth   = 14
	wordsFrom   = 80
)

// gutter returns the number of cells before the columns.
func (t *Timeline) gutter() int {
	if t.state.Width < wordsFrom {
		return 1
	}
	return gutterWidth
}

// cells returns the number of cells of the columns.
func (t *Timeline) cells() int {
	n := t.state.Width - t.gutter() - 1
	if t.state.Width >= wordsFrom {
		n -= tailWidth
	}
	return n
}

// The largest widths of a column, in cells: in the strip and in the large timeline.
const (
	widestStrip = 3
	widestLarge = 12
)

// widest returns the largest width of a column, in cells.
func (t *Timeline) widest() int {
	if t.walking {
		return widestLarge
	}
	return widestStrip
}

// Line returns line y. It repaints the lines only if something in them has changed.
func (t *Timeline) Line(y int) string {
	if as := (look{t.columns(), t.state, t.walking}); t.paintedAs != as {
		t.paintedAs, t.painted = as, t.painted[:0]
		for _, row := range t.rows() {
			t.line.Reset(t.th, t.state.Width, kit.NoShade)
			if as.chart != nil {
				row(&t.line, as.chart)
			} else if len(t.painted) == 0 {
				t.label(&t.line, "calls")
				t.line.Words("…", kit.Faint)
			}
			t.painted = append(t.painted, t.line.String())
		}
	}
	if y >= len(t.painted) {
		return ""
	}
	return t.painted[y]
}

// A row paints one line.
type row func(l *kit.LineWriter, c *chart.Chart)

// rows returns the State.Height lines of the timeline from the top.
func (t *Timeline) rows() (list []row) {
	high := t.state.Height
	cached := t.data != nil && t.data.Read != nil
	if t.walking {
		list, high = append(list, t.title), high-3
	}
	bars := high - 1
	if cached && high >= 4 {
		bars--
	}
	for y := range bars {
		list = append(list, func(l *kit.LineWriter, c *chart.Chart) { t.bar(l, c, bars-1-y, bars) })
	}
	if cached && high >= 4 {
		list = append(list, func(l *kit.LineWriter, c *chart.Chart) { t.events(l, c, true, false) })
	}
	list = append(list, func(l *kit.LineWriter, c *chart.Chart) { t.events(l, c, cached && high < 4, true) })
	if t.walking {
		list = append(list, t.axis, t.legend)
	}
	return list
}

// label paints the name of a row.
func (t *Timeline) label(l *kit.LineWriter, name kit.Words) {
	l.Within(t.gutter(), func() {
		if t.gutter() == gutterWidth {
			l.Words(" "+name, kit.Dim)
		}
	})
}

// bar paints one row of the columns. Row 0 is the lowest of rows.
func (t *Timeline) bar(l *kit.LineWriter, c *chart.Chart, row, rows int) {
	switch {
	case row == rows-1 && rows > 2:
		t.label(l, kit.Figure(c.Top))
	case row == 0:
		t.label(l, "calls")
	default:
		t.label(l, "")
	}
	here := c.At(t.state.Call)
	for i := range c.Columns {
		t.cell(l, c.Cell(i, row, rows), c.Wide, i == here)
	}
	l.On(kit.NoShade, kit.Plain)
	if row == rows-1 && (!t.walking || c.Top == t.data.Window) {
		t.scale(l, c)
	}
}

// cell paints a cell of a column. The column of the current call is shaded where it is empty.
func (t *Timeline) cell(l *kit.LineWriter, k chart.Cell, wide int, here bool) {
	if shaded := here && !t.th.Reversed; shaded && k.Upper < 0 && k.Eighths < 8 {
		l.On(kit.CursorShade, kit.Plain)
		defer l.On(kit.NoShade, kit.Plain)
	}
	switch {
	case k.Lower < 0:
		l.Blank(wide)
	case !t.th.Coloured && t.walking && k.Upper >= 0 && k.Eighths < 4:
		t.letter(l, k.Upper, wide, here)
	case !t.th.Coloured && t.walking && k.Eighths > 3:
		t.letter(l, k.Lower, wide, here)
	case k.Upper >= 0 && t.th.Coloured:
		l.Layers(kit.Repeat(eighths[k.Eighths], wide), layerStyles[k.Lower], layerStyles[k.Upper])
	case k.Upper >= 0:
		l.Words(kit.Repeat(eighths[8], wide), kit.Plain)
	default:
		l.Words(kit.Repeat(eighths[k.Eighths], wide), layerStyles[k.Lower])
	}
}

// letter paints a cell of a layer on a screen without colours. The current call is in reverse video.
func (t *Timeline) letter(l *kit.LineWriter, layer, wide int, here bool) {
	if here {
		l.On(kit.CursorShade, kit.Plain)
		defer l.On(kit.NoShade, kit.Plain)
	}
	l.Words(kit.Repeat(layerLetters[layer], wide), kit.Plain)
}

// scale paints the meaning of the upper end of the columns.
func (t *Timeline) scale(l *kit.LineWriter, c *chart.Chart) {
	if c.Max == 0 {
		return
	}
	if c.Top == t.data.Window {
		t.tail(l, "window "+kit.ShortFigure(c.Top))
		return
	}
	t.tail(l, "most "+kit.About(c.Max, t.data.Counted[max(c.MaxCall-1, 0)]))
	if w := " of " + kit.ShortFigure(t.data.Window); t.data.Window > 0 && text.Width(string(w)) <= l.Left {
		l.Words(w, kit.Faint)
	}
}

// events paints a row of the cache and of the signs. A sign replaces the cache.
func (t *Timeline) events(l *kit.LineWriter, c *chart.Chart, cache, marks bool) {
	name := kit.Words("")
	if cache {
		name = "cache"
	}
	t.label(l, name)
	if c.Max == 0 { // no call has a context
		return
	}
	here, elsewhere := c.At(t.state.Call), chart.Mark(0)
	if !cache && t.data.Read != nil {
		elsewhere = chart.Broke
	}
	for i := range c.Columns {
		col := &c.Columns[i]
		if i == here && (marks || !cache) {
			l.On(kit.CursorShade, kit.Accent)
		}
		s := signOf(col, elsewhere)
		switch {
		case !marks && col.Marks&chart.Broke != 0:
			l.Words("!", kit.Changed)
		case i == here && marks && s >= 0: // the sign follows if the column has room for it
			l.Words("▲", signs[s].st)
		case i == here && marks:
			l.Words("▲", kit.Accent)
		case marks && s >= 0:
			l.Words(signs[s].sign, signs[s].st)
		case cache:
			t.read(l, col.Read)
		default:
			l.Blank(1)
		}
		for range c.Wide - 1 {
			if i == here && marks && s >= 0 {
				l.Words(signs[s].sign, signs[s].st)
				s = -1
			} else if cache && i != here {
				t.read(l, col.Read)
			} else {
				l.Blank(1)
			}
		}
		if i == here {
			l.On(kit.NoShade, kit.Plain)
		}
	}
	if cache {
		t.breaks(l)
	}
}

// read paints the part of a prompt that was read from the cache; the rest was written or not cached.
func (t *Timeline) read(l *kit.LineWriter, part int) {
	switch {
	case part < 0:
		l.Blank(1)
	case part == 0 && !t.th.Coloured:
		l.Words("·", kit.Plain)
	case part == 0: // the gap above separates the cache from the columns
		l.Words("▇", kit.Changed)
	case part == 8:
		l.Words("▇", kit.Inserted)
	default:
		l.Layers(eighths[part], kit.Inserted, kit.Changed)
	}
}

// breaks paints the number of cache breaks.
func (t *Timeline) breaks(l *kit.LineWriter) {
	n := 0
	for _, m := range t.data.Marks {
		if m&chart.Broke != 0 {
			n++
		}
	}
	if n > 0 {
		t.tail(l, kit.Plural(n, "break"))
	}
}

// tail paints words after the columns, if there is space for all of them.
func (t *Timeline) tail(l *kit.LineWriter, w kit.Words) {
	if text.Width(string(w)) < l.Left {
		l.Words(" "+w, kit.Dim)
	}
}
