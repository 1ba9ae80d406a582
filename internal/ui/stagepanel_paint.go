package ui

import (
	"strconv"

	"agentlens/internal/curate"
	"agentlens/internal/ui/stages"
	"agentlens/internal/ui/text"
)

// This file paints the list of stages.

// panelLine paints line y of the panel of h lines.
func (r *root) panelLine(l *liner, y, h int) {
	list := r.chain.list
	switch {
	case y == 0:
		l.on(weakShade, strong)
		r.panelTitle(l)
	case y == h-1:
		r.paramHelp(l)
	case len(list.Stages) == 0:
		l.own("  no stage: a adds one, p takes a preset", faint)
	default:
		rows := h - 2
		if i := stageTop(list, rows) + y - 1; i < len(list.Stages) {
			r.stageRow(l, i)
		}
	}
}

// panelTitle paints the first line of the panel: what the stages make of the tokens
// before what they are, where there is no room for both.
func (r *root) panelTitle(l *liner) {
	sum := words("")
	if s := r.msgs.shown; s != nil {
		sum = about(s.view.Original.Tokens, s.exact) + " → " + about(s.view.Curated.Tokens, !s.view.Estimated)
	}
	l.own(" stages", strong)
	const says = "  each works at what the one before left"
	if text.Width(says)+2+text.Width(string(sum)) < l.left {
		l.own(says, dim)
	}
	l.to(text.Width(string(sum)) + 1)
	l.own(sum, title)
	l.to(0)
}

// stageTop is the first stage a panel of so many rows shows.
func stageTop(l *stages.List, rows int) int {
	return max(min(l.Cursor-rows/2, len(l.Stages)-rows), 0)
}

// clickStage puts the cursor on the stage in line y of the panel.
func (r *root) clickStage(y int) {
	l, rows := r.chain.list, r.lay.panel-2
	if y >= 1 && y <= rows {
		l.Move(stageTop(l, rows) + y - 1 - l.Cursor)
	}
}

func (r *root) stageRow(l *liner, i int) {
	list := r.chain.list
	s := &list.Stages[i]
	here := i == list.Cursor
	if here {
		l.on(cursorShade, plain)
	}
	bar := words(" ")
	if here {
		bar = "▎"
	}
	l.own(bar, accent)
	l.own(words(strconv.Itoa(i+1))+" ", faint)
	name, on := accent, words("● ")
	if s.Off {
		name, on = faint, "○ "
	}
	l.own(on, name)
	after := r.afterStage(i)
	l.within(l.left-text.Width(string(after))-2, func() {
		l.own(words(s.Call.Spec.Name), name)
		first := 0
		if here {
			if first = firstParam(s, list.Param, l.left); first > 0 {
				l.own("  …", faint)
			}
		}
		for j := first; j < len(s.Call.Spec.Params); j++ {
			p := &s.Call.Spec.Params[j]
			value := valueOf(s, p)
			st := dim
			if value != p.Default {
				st = title
			}
			l.own("  "+words(p.Name)+"=", faint)
			if here && j == list.Param {
				l.own("‹"+r.chain.gated(value)+"›", matchHere)
			} else {
				l.own(r.chain.gated(value), st)
			}
		}
	})
	l.to(text.Width(string(after)) + 1)
	l.own(after, dim)
	l.to(0)
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
func (r *root) afterStage(i int) words {
	list, s := r.chain.list, r.msgs.shown
	if list.Stages[i].Off {
		return "off"
	}
	if s == nil || s.chain != list.Text() {
		return ""
	}
	nth := 0
	for j := range i {
		if !list.Stages[j].Off {
			nth++
		}
	}
	if nth >= len(s.view.Stages) {
		return ""
	}
	t := s.view.Stages[nth]
	return plural(t.Messages, "msg") + " " + about(t.Tokens, !s.view.Estimated)
}

// paramHelp says what the parameter under the cursor means and may be.
func (r *root) paramHelp(l *liner) {
	list := r.chain.list
	p := list.ParamAt()
	l.blank(2)
	if p == nil {
		if s := list.At(); s != nil {
			l.own(words(s.Call.Spec.Summary), dim)
		}
		return
	}
	l.own(words(p.Name), accent)
	l.own("  "+words(p.Help), dim)
	may := words("")
	switch {
	case len(p.Words) > 0:
		for _, w := range p.Words {
			may += " " + words(w)
		}
	case p.Kind == curate.KindAmount:
		may = " in " + words(p.Unit)
		for _, u := range p.Units {
			may += " or " + words(u)
		}
	case p.Kind == curate.KindList || p.Kind == curate.KindWord:
		may = " typed: s"
	}
	l.own(" ·"+may, faint)
}
