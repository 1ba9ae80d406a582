package timeline

import (
	"cmp"
	"slices"

	"agentlens/internal/ui/chart"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// kindLetters are the letters that draw the bars of each kind on a screen without colours.
var kindLetters = [chart.Kinds]kit.Words{"s", "u", "a", "t", "i"}

var eighths = [9]kit.Words{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// signs are the marks below the bars. A column with several marks shows only the first.
var signs = [...]struct {
	mark chart.Mark
	sign kit.Words
	name kit.Words
	st   kit.Style
}{
	{chart.Acted, "▾", "the chain acted", kit.Added},
	{chart.Cut, "▼", "compaction or clearing", kit.Marker},
	{chart.Fell, "▽", "prompt shrank, not recorded why", kit.Failure},
	{chart.Midway, "…", "begins mid-way", kit.Marker},
	{chart.Failed, "✗", "error", kit.Failure},
	{chart.Broke, "!", "cache break", kit.CacheBroken},
	{chart.Unknown, "?", "not recorded", kit.Unrecorded},
}

// signOf returns the index in signs of the sign of a column, or -1.
func signOf(c *chart.Column) int {
	for i := range signs {
		if c.Marks&signs[i].mark != 0 {
			return i
		}
	}
	return -1
}

// Line returns line y. It repaints the lines only if something in them has changed.
func (t *Timeline) Line(y int) string {
	if as := (look{t.columns(), t.state, t.walking}); t.paintedAs != as {
		t.paintedAs = as
		for i := range t.painted {
			t.line.Reset(t.th, t.state.Width, kit.NoShade)
			t.paint(&t.line, as.chart, i)
			t.painted[i] = t.line.String()
		}
	}
	return t.painted[y]
}

// paint paints line y. The chart is nil until the data is read.
func (t *Timeline) paint(l *kit.LineWriter, c *chart.Chart, y int) {
	switch {
	case y == 0:
		t.title(l, c)
	case c == nil:
	case y == height-1:
		legend(l, c)
	case y == height-2:
		t.marks(l, c)
	default:
		t.bar(l, c, bars-y)
	}
}

// Widths of the screen, in cells, below which the title is shorter.
const (
	shortTitleBelow   = 100
	shortLargestBelow = 70
)

// title paints the line above the bars: the call, the kinds of its messages and the largest
// call.
func (t *Timeline) title(l *kit.LineWriter, c *chart.Chart) {
	says, narrow := kit.Words("timeline · sent at each call"), t.state.Width < shortTitleBelow
	switch at := view.CallName(t.state.Thread, t.state.Call); {
	case t.walking && narrow:
		says = "timeline · " + at
	case t.walking:
		says = "timeline · sent at " + at
	case narrow:
		says = "timeline"
	}
	if t.walking {
		l.On(kit.WeakShade, kit.Plain)
		l.Words("▎"+says, kit.Accent)
	} else {
		l.Words(" "+says, kit.Title)
	}
	if c == nil {
		return
	}
	largest := view.CallName(t.state.Thread, c.MaxCall)
	if t.state.Width < shortLargestBelow {
		largest = kit.Int(c.MaxCall)
	}
	largest = "largest " + kit.About(c.Max, t.state.Exact) + " at " + largest
	l.Blank(2)
	l.Within(l.Left-text.Width(string(largest))-3, func() { t.kinds(l) })
	l.To(text.Width(string(largest)) + 1)
	l.Words(largest, kit.Dim)
	l.To(0)
}

// kinds paints the kinds of messages in the prompt of the call, largest first, as many as fit.
func (t *Timeline) kinds(l *kit.LineWriter) {
	call := min(t.state.Call, t.data.Calls()) // the view of another thread may not be formed yet
	size := func(k int) int64 { return t.data.Tokens[k][call-1] }
	var list []int
	for k := range chart.Kinds {
		if size(k) > 0 {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	for _, k := range list {
		name := view.KindNames[k]
		if t.walking {
			name += " " + kit.About(size(k), t.state.Exact)
		}
		if text.Width(string(name))+4 > l.Left {
			return
		}
		if t.th.Coloured {
			l.Words("█", view.KindStyles[k])
		} else {
			l.Words(kindLetters[k], kit.Plain)
		}
		l.Words(" "+name+"  ", kit.Dim)
	}
}

// bar paints one row of the bars. Row 0 is the lowest.
func (t *Timeline) bar(l *kit.LineWriter, c *chart.Chart, row int) {
	l.Blank(1)
	here := c.At(t.state.Call)
	for i := range c.Columns {
		kind, n := c.Cell(i, row, bars)
		l.Shade = kit.NoShade
		if i == here {
			l.Shade = kit.CursorShade
		}
		if i == here || i == here+1 {
			l.Sgr(kit.Plain)
		}
		for range c.Wide {
			switch {
			case kind < 0:
				l.Blank(1)
			case t.th.Coloured:
				l.Words(eighths[n], view.KindStyles[kind])
			case n > 3:
				l.Words(kindLetters[kind], kit.Plain)
			default:
				l.Words(".", kit.Plain)
			}
		}
	}
	l.On(kit.NoShade, kit.Plain)
}

// marks paints the line below the bars: the signs, and an arrow at the call.
func (t *Timeline) marks(l *kit.LineWriter, c *chart.Chart) {
	l.Blank(1)
	here := c.At(t.state.Call)
	for i := range c.Columns {
		sign, st := kit.Words(" "), kit.Plain
		if m := signOf(&c.Columns[i]); m >= 0 {
			sign, st = signs[m].sign, signs[m].st
		}
		if i == here && sign == " " {
			sign, st = "▲", kit.Accent
		}
		l.Words(sign, st)
		l.Blank(c.Wide - 1)
	}
}

// legend explains the signs that the chart shows.
func legend(l *kit.LineWriter, c *chart.Chart) {
	if len(c.Columns) == 0 {
		return
	}
	var used [len(signs)]bool
	for i := range c.Columns {
		if m := signOf(&c.Columns[i]); m >= 0 {
			used[m] = true
		}
	}
	l.Words(" ▲", kit.Accent)
	l.Words(" here  ", kit.Dim)
	for i, m := range signs {
		if used[i] && text.Width(string(m.name))+4 <= l.Left {
			l.Words(m.sign, m.st)
			l.Words(" "+m.name+"  ", kit.Dim)
		}
	}
}
