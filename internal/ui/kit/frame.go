package kit

import "agentlens/internal/ui/text"

// A Frame draws a border with a title around the rows of a pane.
type Frame struct {
	Th      *Theme
	Focused bool
	Title   func(l *LineWriter)
	Row     func(l *LineWriter, y int) // paints row y
	Foot    Words                      // in the bottom border
}

// Draw returns h lines of w cells each.
func (f *Frame) Draw(l *LineWriter, w, h int) []string {
	out := make([]string, 0, h)
	edge := border
	if f.Focused {
		edge = BorderFocus
	}
	l.Reset(f.Th, w, NoShade)
	l.Words("╭ ", edge)
	l.Within(w-3, func() {
		f.Title(l)
		if l.Left > 0 {
			l.Blank(1)
		}
		l.Words(Repeat("─", l.Left), edge)
	})
	l.Words("╮", edge)
	out = append(out, l.String())
	for y := range h - 2 {
		l.Reset(f.Th, w, NoShade)
		l.Words("│", edge)
		l.Within(w-2, func() { f.Row(l, y) })
		l.On(NoShade, edge)
		l.Words("│", edge)
		out = append(out, l.String())
	}
	l.Reset(f.Th, w, NoShade)
	l.Words("╰", edge)
	foot := f.Foot
	if n := text.Width(string(foot)); n > 0 && n+6 < w {
		l.Words(Repeat("─", w-n-5), edge)
		l.Words(" ", edge)
		l.Words(foot, Dim)
		l.Words(" ", edge)
	}
	l.Words(Repeat("─", l.Left-1), edge)
	l.Words("╯", edge)
	return append(out, l.String())
}
