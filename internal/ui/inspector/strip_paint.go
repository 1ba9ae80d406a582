package inspector

import (
	"cmp"
	"slices"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/timeline"
	"agentlens/internal/ui/view"
)

// This file paints the timeline.

// stripLine paints line y of the timeline.
func (r *inspector) stripLine(l *kit.LineWriter, y int) {
	c := r.laid()
	switch {
	case y == 0:
		r.stripTitle(l, c)
	case c == nil:
	case y == stripHeight-1:
		stripLegend(l, c)
	case y == stripHeight-2:
		r.stripSigns(l, c)
	default:
		r.stripBar(l, c, stripBars-y)
	}
}

// shortTitleBelow is the width of the screen below which the timeline says less.
const shortTitleBelow = 100

// stripTitle paints the line above the bars: what they are of, most of all first.
func (r *inspector) stripTitle(l *kit.LineWriter, c *timeline.Chart) {
	says := kit.Words("timeline · sent at each call")
	switch at := view.CallName(r.threadNow(), r.call); {
	case r.strip.scrub && r.w < shortTitleBelow:
		says = "timeline · " + at
	case r.strip.scrub:
		says = "timeline · sent at " + at
	case r.w < shortTitleBelow:
		says = "timeline"
	}
	if r.strip.scrub {
		l.On(kit.WeakShade, kit.Plain)
		l.Words("▎"+says, kit.Accent)
	} else {
		l.Words(" "+says, kit.Title)
	}
	if c == nil {
		return
	}
	exact := r.msgs.Shown != nil && r.msgs.Shown.Exact
	most := "largest " + kit.About(c.Max, exact) + " at " + view.CallName(r.threadNow(), c.MaxCall)
	if r.w < twoPanesFrom {
		most = "largest " + kit.About(c.Max, exact) + " at " + kit.Int(c.MaxCall)
	}
	l.Blank(2)
	l.Within(l.Left-text.Width(string(most))-3, func() { r.stripKinds(l, exact) })
	l.To(text.Width(string(most)) + 1)
	l.Words(most, kit.Dim)
	l.To(0)
}

// stripKinds names the kinds of messages that the call was sent, the one that takes most
// first, as far as there is room.
func (r *inspector) stripKinds(l *kit.LineWriter, exact bool) {
	sizes := func(k int) int64 { return r.strip.data.Tokens[k][r.stripCall()-1] }
	kinds := make([]int, 0, timeline.Kinds)
	for k := range timeline.Kinds {
		if sizes(k) > 0 {
			kinds = append(kinds, k)
		}
	}
	slices.SortStableFunc(kinds, func(a, b int) int { return cmp.Compare(sizes(b), sizes(a)) })
	for _, k := range kinds {
		name := view.KindNames[k]
		if r.strip.scrub {
			name += " " + kit.About(sizes(k), exact)
		}
		if text.Width(string(name))+4 > l.Left {
			return
		}
		if r.th.Coloured {
			l.Words("█", view.KindStyles[k])
		} else {
			l.Words(kindLetters[k], kit.Plain)
		}
		l.Words(" "+name+"  ", kit.Dim)
	}
}

// stripCall is the call that is shown; while another thread is on its way, one that the
// timeline has.
func (r *inspector) stripCall() int { return min(r.call, r.strip.data.Calls()) }

// stripBar paints one row of the bars, row 0 the lowest.
func (r *inspector) stripBar(l *kit.LineWriter, c *timeline.Chart, row int) {
	l.Blank(1)
	here := c.At(r.call)
	for i := range c.Columns {
		kind, n := c.Cell(i, row, stripBars)
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
			case r.th.Coloured:
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

// stripLegend says what the signs that are on the timeline mean.
func stripLegend(l *kit.LineWriter, c *timeline.Chart) {
	var shown [len(stripMarks)]bool
	for i := range c.Columns {
		if m := signOf(&c.Columns[i]); m >= 0 {
			shown[m] = true
		}
	}
	if len(c.Columns) == 0 {
		return
	}
	l.Words(" ▲", kit.Accent)
	l.Words(" here  ", kit.Dim)
	for i, m := range stripMarks {
		if shown[i] && text.Width(string(m.name))+4 <= l.Left {
			l.Words(m.sign, m.st)
			l.Words(" "+m.name+"  ", kit.Dim)
		}
	}
}

// signOf is the one of stripMarks that stands under a column, -1 for none.
func signOf(c *timeline.Column) int {
	for i := range stripMarks {
		if c.Marks&stripMarks[i].mark != 0 {
			return i
		}
	}
	return -1
}

// stripSigns paints the line under the bars: what happened, and where one is.
func (r *inspector) stripSigns(l *kit.LineWriter, c *timeline.Chart) {
	l.Blank(1)
	here := c.At(r.call)
	for i := range c.Columns {
		sign, st := kit.Words(" "), kit.Plain
		if m := signOf(&c.Columns[i]); m >= 0 {
			sign, st = stripMarks[m].sign, stripMarks[m].st
		}
		if i == here && sign == " " {
			sign, st = "▲", kit.Accent
		}
		l.Words(sign, st)
		l.Blank(c.Wide - 1)
	}
}
