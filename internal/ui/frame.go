package ui

import "agentlens/internal/ui/text"

// A frame paints the border of a pane around its rows.
type frame struct {
	th      *theme
	focused bool
	title   func(l *liner)
	row     func(l *liner, y int) // paints row y
	foot    words                 // in the bottom border
}

// render gives exactly h lines of exactly w cells.
func (f *frame) render(l *liner, w, h int) []string {
	out := make([]string, 0, h)
	edge := border
	if f.focused {
		edge = borderFocus
	}
	l.reset(f.th, w, noShade)
	l.own("╭ ", edge)
	l.within(w-3, func() {
		f.title(l)
		if l.left > 0 {
			l.blank(1)
		}
		l.own(repeat("─", l.left), edge)
	})
	l.own("╮", edge)
	out = append(out, l.String())
	for y := range h - 2 {
		l.reset(f.th, w, noShade)
		l.own("│", edge)
		l.within(w-2, func() { f.row(l, y) })
		l.on(noShade, edge)
		l.own("│", edge)
		out = append(out, l.String())
	}
	l.reset(f.th, w, noShade)
	l.own("╰", edge)
	foot := f.foot
	if n := text.Width(string(foot)); n > 0 && n+6 < w {
		l.own(repeat("─", w-n-5), edge)
		l.own(" ", edge)
		l.own(foot, dim)
		l.own(" ", edge)
	}
	l.own(repeat("─", l.left-1), edge)
	l.own("╯", edge)
	return append(out, l.String())
}
