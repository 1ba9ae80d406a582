package inspector

import (
	"agentlens/internal/curate"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/stages"
	"agentlens/internal/ui/text"
)

// This file paints the list of stages.

// panelLine paints line y of the panel of h lines.
func (r *inspector) panelLine(l *kit.LineWriter, y, h int) {
	list := r.chain.list
	switch {
	case y == 0:
		l.On(kit.WeakShade, kit.Strong)
		r.panelTitle(l)
	case y == h-1:
		r.paramHelp(l)
	case len(list.Stages) == 0:
		l.Words("  no stage: a adds one, p takes a preset", kit.Faint)
	default:
		rows := h - 2
		if i := stageTop(list, rows) + y - 1; i < len(list.Stages) {
			r.stageRow(l, i)
		}
	}
}

// panelTitle paints the first line of the panel: what the stages make of the tokens
// before what they are, where there is no room for both.
func (r *inspector) panelTitle(l *kit.LineWriter) {
	sum := kit.Words("")
	if s := r.msgs.Shown; s != nil {
		sum = kit.About(s.View.Original.Tokens, s.Exact) + " → " + kit.About(s.View.Curated.Tokens, !s.View.Estimated)
	}
	l.Words(" stages", kit.Strong)
	const says = "  each works at what the one before left"
	if text.Width(says)+2+text.Width(string(sum)) < l.Left {
		l.Words(says, kit.Dim)
	}
	l.To(text.Width(string(sum)) + 1)
	l.Words(sum, kit.Title)
	l.To(0)
}

// stageTop is the first stage a panel of so many rows shows.
func stageTop(l *stages.List, rows int) int {
	return max(min(l.Cursor-rows/2, len(l.Stages)-rows), 0)
}

// clickStage puts the cursor on the stage in line y of the panel.
func (r *inspector) clickStage(y int) {
	l, rows := r.chain.list, r.lay.panel-2
	if y >= 1 && y <= rows {
		l.Move(stageTop(l, rows) + y - 1 - l.Cursor)
	}
}

func (r *inspector) stageRow(l *kit.LineWriter, i int) {
	list := r.chain.list
	s := &list.Stages[i]
	here := i == list.Cursor
	if here {
		l.On(kit.CursorShade, kit.Plain)
	}
	bar := kit.Words(" ")
	if here {
		bar = "▎"
	}
	l.Words(bar, kit.Accent)
	l.Words(kit.Int(i+1)+" ", kit.Faint)
	name, on := kit.Accent, kit.Words("● ")
	if s.Off {
		name, on = kit.Faint, "○ "
	}
	l.Words(on, name)
	after := r.afterStage(i)
	l.Within(l.Left-text.Width(string(after))-2, func() {
		l.Words(kit.Words(s.Call.Spec.Name), name)
		first := 0
		if here {
			if first = firstParam(s, list.Param, l.Left); first > 0 {
				l.Words("  …", kit.Faint)
			}
		}
		for j := first; j < len(s.Call.Spec.Params); j++ {
			p := &s.Call.Spec.Params[j]
			value := valueOf(s, p)
			st := kit.Dim
			if value != p.Default {
				st = kit.Title
			}
			l.Words("  "+kit.Words(p.Name)+"=", kit.Faint)
			if here && j == list.Param {
				l.Words("‹"+r.chain.gated(value)+"›", kit.MatchHere)
			} else {
				l.Words(r.chain.gated(value), st)
			}
		}
	})
	l.To(text.Width(string(after)) + 1)
	l.Words(after, kit.Dim)
	l.To(0)
}

// valueOf is the value of a parameter, a dash where it has none.
func valueOf(s *stages.Stage, p *curate.Param) string {
	if value := s.Call.ArgText(p.Name); value != "" {
		return value
	}
	return "–"
}

// firstParam is the first parameter a row of room cells shows, so that the one under
// the cursor is on it.
func firstParam(s *stages.Stage, cursor, room int) int {
	room -= text.Width(s.Call.Spec.Name) + len("  …") + len("‹›")
	first := min(cursor, len(s.Call.Spec.Params)-1)
	for i := first; i >= 0; i-- {
		p := &s.Call.Spec.Params[i]
		if room -= text.Width(p.Name+valueOf(s, p)) + 3; room < 0 {
			break
		}
		first = i
	}
	return max(first, 0)
}

// afterStage is what stage i of the list left of the call, once the view is formed.
func (r *inspector) afterStage(i int) kit.Words {
	list, s := r.chain.list, r.msgs.Shown
	if list.Stages[i].Off {
		return "off"
	}
	if s == nil || s.Chain != list.Text() {
		return ""
	}
	nth := 0
	for j := range i {
		if !list.Stages[j].Off {
			nth++
		}
	}
	if nth >= len(s.View.Stages) {
		return ""
	}
	t := s.View.Stages[nth]
	return kit.Plural(t.Messages, "msg") + " " + kit.About(t.Tokens, !s.View.Estimated)
}

// paramHelp says what the parameter under the cursor means and may be.
func (r *inspector) paramHelp(l *kit.LineWriter) {
	list := r.chain.list
	p := list.ParamAt()
	l.Blank(2)
	if p == nil {
		if s := list.At(); s != nil {
			l.Words(kit.Words(s.Call.Spec.Summary), kit.Dim)
		}
		return
	}
	l.Words(kit.Words(p.Name), kit.Accent)
	l.Words("  "+kit.Words(p.Help), kit.Dim)
	may := kit.Words("")
	switch {
	case len(p.Words) > 0:
		for _, w := range p.Words {
			may += " " + kit.Words(w)
		}
	case p.Kind == curate.KindAmount:
		may = " in " + kit.Words(p.Unit)
		for _, u := range p.Units {
			may += " or " + kit.Words(u)
		}
	case p.Kind == curate.KindList || p.Kind == curate.KindWord:
		may = " typed: s"
	}
	l.Words(" ·"+may, kit.Faint)
}
