package inspector

import (
	"cmp"
	"math"
	"slices"

	"agentlens/internal/ui/headline"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// This file paints the second line of the screen: the context of the call as one bar.

// Widths of the bar of the context in cells: the largest, the least, and the part of the screen.
const (
	mostBar   = 48
	leastBar  = 8
	barShare  = 5
	fullFrom  = 0.9 // share of the window from which the context is nearly full
	wideNames = 150 // width of the screen from which parts have their full names
)

// contextLine paints the size of the prompt of the call, its parts and its fall.
func (r *inspector) contextLine(l *kit.LineWriter) {
	s := r.msgs.Shown
	if s == nil || r.Labels == nil {
		return
	}
	f, window := &s.Filling, s.Window.Tokens
	l.Words(" context ", kit.Dim)
	r.contextBar(l, s)
	if window > 0 {
		l.Blank(1)
	}
	size := kit.Title
	if window > 0 && float64(f.Used) > fullFrom*float64(window) {
		size = kit.Failure
	}
	l.Words(kit.About(f.Used, f.Counted), size)
	if window > 0 {
		l.Words(" / "+kit.ShortFigure(window)+headline.WindowNote(s.Window, r.w, r.Gated), kit.Dim)
	}
	l.Blank(2)
	for _, tag := range r.pressure(f.Used, window) {
		l.Words(tag.Text, tag.St)
		l.Blank(1)
	}
	was := s.WasWords()
	room := l.Left
	if was != "" {
		room -= text.Width(string(was)) + 2
	}
	l.Within(room-1, func() {
		if !r.timeline.Walking() { // it names the parts itself
			r.portions(l, f)
		}
	})
	if was != "" && l.Left > text.Width(string(was)) {
		l.To(text.Width(string(was)) + 1)
		l.Words(was, kit.Marker)
	}
}

// contextBar paints the parts of the prompt and the free part of the window. Without a window there is nothing that
// the prompt could fill.
func (r *inspector) contextBar(l *kit.LineWriter, s *view.Aligned) {
	if s.Window.Tokens == 0 {
		return
	}
	cells := min(max(r.w/barShare, leastBar), mostBar)
	f, all := &s.Filling, max(s.Window.Tokens, s.Filling.Used, 1)
	left, sum, drawn := cells, 0.0, 0
	drawable := float64(f.Used) / max(float64(f.Used)+float64(f.Excess), 1) // the parts fill the prompt
	for i, p := range f.Portions {
		sum += drawable * float64(p.Tokens)
		n := int(math.Round(sum*float64(cells)/float64(all))) - drawn
		if n = min(max(n, 0), left); n == 0 && drawn == 0 && p.Tokens > 0 && i == 0 {
			n = 1
		}
		l.Words(kit.Repeat(p.Swatch(r.th.Coloured), n), p.Style)
		drawn += n
		left -= n
	}
	l.Words(kit.Repeat("░", left), kit.Gauge)
}

// portions paints the parts of the prompt, largest first, as long as they fit completely, after the size by which
// they exceed it.
func (r *inspector) portions(l *kit.LineWriter, f *view.Filling) {
	if f.Excess > 0 {
		l.Words(kit.About(f.Excess, false)+moreThanCounted, kit.Warning)
		l.Blank(2)
	}
	list := slices.Clone(f.Portions)
	slices.SortStableFunc(list, func(a, b view.Portion) int { return cmp.Compare(b.Tokens, a.Tokens) })
	for i, p := range list {
		name := p.Name
		if r.w < wideNames && name == systemAndTools {
			name = "system+tools"
		}
		name += " " + kit.Figure(p.Tokens)
		gap := kit.Words("")
		if i > 0 {
			gap = "  "
		}
		if text.Width(string(gap+p.Sign+name))+1 > l.Left {
			return
		}
		l.Words(gap, kit.Faint)
		l.Words(p.Swatch(r.th.Coloured), p.Style)
		l.Blank(1)
		l.Words(name, kit.Dim)
	}
}

// pressureFrom is the least width of the screen that has the advice, in cells.
const pressureFrom = 120

// pressure returns the advice on a context of used tokens if little room is left, otherwise the recorded
// answer.
func (r *inspector) pressure(used, window int64) []kit.Tag {
	tag := kit.Tag{}
	if window > 0 {
		tag = view.PressureTag(used, window)
	}
	if recorded := view.RecordedPressureTag(r.msgs.Shown); tag.Text == "" {
		tag = recorded
	}
	if tag.Text == "" || r.w < pressureFrom {
		return nil
	}
	tag.Text += " "
	return []kit.Tag{tag}
}
