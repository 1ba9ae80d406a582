package ui

import (
	"cmp"
	"slices"

	"agentlens/internal/ui/text"
	"agentlens/internal/ui/timeline"
)

// This file paints the timeline.

// stripLine paints line y of the timeline.
func (r *root) stripLine(l *liner, y int) {
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
func (r *root) stripTitle(l *liner, c *timeline.Chart) {
	says := words("timeline · sent at each call")
	switch at := callName(r.threadNow(), r.call); {
	case r.strip.scrub && r.w < shortTitleBelow:
		says = "timeline · " + at
	case r.strip.scrub:
		says = "timeline · sent at " + at
	case r.w < shortTitleBelow:
		says = "timeline"
	}
	if r.strip.scrub {
		l.on(weakShade, plain)
		l.own("▎"+says, accent)
	} else {
		l.own(" "+says, title)
	}
	if c == nil {
		return
	}
	exact := r.msgs.shown != nil && r.msgs.shown.exact
	most := "largest " + about(c.Max, exact) + " at " + callName(r.threadNow(), c.MaxCall)
	if r.w < twoPanesFrom {
		most = "largest " + about(c.Max, exact) + " at " + figureWhole(c.MaxCall)
	}
	l.blank(2)
	l.within(l.left-text.Width(string(most))-3, func() { r.stripKinds(l, exact) })
	l.to(text.Width(string(most)) + 1)
	l.own(most, dim)
	l.to(0)
}

// stripKinds names the kinds of messages that the call was sent, the one that takes most
// first, as far as there is room.
func (r *root) stripKinds(l *liner, exact bool) {
	sizes := func(k int) int64 { return r.strip.data.Tokens[k][r.stripCall()-1] }
	kinds := make([]int, 0, timeline.Kinds)
	for k := range timeline.Kinds {
		if sizes(k) > 0 {
			kinds = append(kinds, k)
		}
	}
	slices.SortStableFunc(kinds, func(a, b int) int { return cmp.Compare(sizes(b), sizes(a)) })
	for _, k := range kinds {
		name := kindNames[k]
		if r.strip.scrub {
			name += " " + about(sizes(k), exact)
		}
		if text.Width(string(name))+4 > l.left {
			return
		}
		if r.th.coloured {
			l.own("█", kindStyles[k])
		} else {
			l.own(kindLetters[k], plain)
		}
		l.own(" "+name+"  ", dim)
	}
}

// stripCall is the call that is shown; while another thread is on its way, one that the
// timeline has.
func (r *root) stripCall() int { return min(r.call, r.strip.data.Calls()) }

// stripBar paints one row of the bars, row 0 the lowest.
func (r *root) stripBar(l *liner, c *timeline.Chart, row int) {
	l.blank(1)
	here := c.At(r.call)
	for i := range c.Columns {
		kind, n := c.Cell(i, row, stripBars)
		l.shade = noShade
		if i == here {
			l.shade = cursorShade
		}
		if i == here || i == here+1 {
			l.sgr(plain)
		}
		for range c.Wide {
			switch {
			case kind < 0:
				l.blank(1)
			case r.th.coloured:
				l.own(eighths[n], kindStyles[kind])
			case n > 3:
				l.own(kindLetters[kind], plain)
			default:
				l.own(".", plain)
			}
		}
	}
	l.on(noShade, plain)
}

// stripLegend says what the signs that are on the timeline mean.
func stripLegend(l *liner, c *timeline.Chart) {
	var shown [len(stripMarks)]bool
	for i := range c.Columns {
		if m := signOf(&c.Columns[i]); m >= 0 {
			shown[m] = true
		}
	}
	if len(c.Columns) == 0 {
		return
	}
	l.own(" ▲", accent)
	l.own(" here  ", dim)
	for i, m := range stripMarks {
		if shown[i] && text.Width(string(m.name))+4 <= l.left {
			l.own(m.sign, m.st)
			l.own(" "+m.name+"  ", dim)
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
func (r *root) stripSigns(l *liner, c *timeline.Chart) {
	l.blank(1)
	here := c.At(r.call)
	for i := range c.Columns {
		sign, st := words(" "), plain
		if m := signOf(&c.Columns[i]); m >= 0 {
			sign, st = stripMarks[m].sign, stripMarks[m].st
		}
		if i == here && sign == " " {
			sign, st = "▲", accent
		}
		l.own(sign, st)
		l.blank(c.Wide - 1)
	}
}
