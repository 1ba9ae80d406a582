package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/text"
)

// screen is the table of what chains come to.
func (v *compareView) keyTables(h host) keyScreen {
	move := func(n int) func() tea.Cmd { return do(func() { v.moveBy(n) }) }
	none := func() words {
		if c := v.rows[v.cursor]; !c.scored {
			return "there is nothing to show of this one yet"
		}
		return ""
	}
	return keyScreen{tables: []keyTable{{"in the comparison, C", []action{
		{keys: []string{"enter"}, hint: hint{"enter", "try it"}, help: "show this chain, at the call there was", disabled: none, run: func() tea.Cmd { return v.try(h) }},
		{keys: []string{"right", "l", "s"}, hint: hint{"← →", "sort"}, help: "sort by the next column", run: do(func() { v.sortBy(1) })},
		{keys: []string{"left", "h"}, help: "sort by the column before", run: do(func() { v.sortBy(-1) })},
		{keys: []string{"down", "j"}, hint: hint{"↑ ↓", "move"}, help: "the next chain", run: move(1)},
		{keys: []string{"up", "k"}, help: "the chain before", run: move(-1)},
		{keys: []string{"pgdown", " "}, help: "a page down", run: func() tea.Cmd { v.moveBy(v.high); return nil }},
		{keys: []string{"pgup"}, help: "a page up", run: func() tea.Cmd { v.moveBy(-v.high); return nil }},
		{keys: []string{"g", "home"}, help: "the first chain", run: move(-1 << 20)},
		{keys: []string{"G", "end"}, help: "the last chain", run: move(1 << 20)},
		{keys: []string{"y"}, hint: hint{"y", "copy"}, help: "copy the table", run: func() tea.Cmd { return v.copy(h) }},
		{keys: []string{"esc", "q", "C"}, hint: hint{"esc", "close"}, help: "close the comparison", run: h.pop},
	}}}}
}

func (v *compareView) moveBy(n int) {
	v.cursor = min(max(v.cursor+n, 0), len(v.rows)-1)
	v.top = min(max(v.top, v.cursor-v.high+1), v.cursor)
	v.top = max(min(v.top, len(v.rows)-v.high), 0)
}

// sortBy sorts by another column; before the first they stand as they came.
func (v *compareView) sortBy(d int) {
	v.sort = min(max(v.sort+d, 0), len(compareColumns())-1)
	v.arrange()
}

// compareFrame is how many lines are no rows: title, names of the columns, the chain
// under the cursor, what the column means, the hints.
const compareFrame = 5

func (v *compareView) resize(_, h int) {
	v.high = max(h-compareFrame, 1)
	v.moveBy(0)
}

func (v *compareView) wheel(n int) { v.moveBy(n) }

func (v *compareView) click(h host, at click) tea.Cmd {
	i := v.top + at.y - 2
	if at.y < 2 || i >= min(len(v.rows), v.top+v.high) {
		return nil
	}
	if i == v.cursor && v.rows[i].scored {
		return v.try(h)
	}
	v.cursor = i
	return nil
}

func (v *compareView) uncoloured(*colours) []colouring { return nil }

func (v *compareView) foot(l *liner, s keyScreen) { hints(l, s.hints()) }

func (v *compareView) render(th *theme, _ *colours, w, h int) []string {
	var l liner
	out := make([]string, 0, h)
	line := func(sh shade, paint func()) {
		l.reset(th, w, sh)
		paint()
		l.to(0)
		out = append(out, l.String())
	}
	line(weakShade, func() {
		l.own(" ", strong)
		l.own(v.title, strong)
		l.own("  tokens are those of the messages", dim)
		state := v.progress()
		l.to(text.Width(string(state)) + 1)
		l.own(state, dim)
	})
	all, fit := compareColumns(), fittingColumns(w)
	line(noShade, func() {
		l.blank(2)
		for _, i := range fit {
			st := dim
			name := all[i].name
			if i == v.sort {
				st, name = accent, "▲"+name
			}
			l.own(words(padded(name, all[i].cells)), st)
		}
		l.own("  CHAIN", dim)
	})
	for y := range v.high {
		if i := v.top + y; i < len(v.rows) {
			sh := noShade
			if i == v.cursor {
				sh = cursorShade
			}
			line(sh, func() { v.row(&l, &v.rows[i], i == v.cursor, all, fit) })
		} else {
			line(noShade, func() {})
		}
	}
	line(weakShade, func() { l.own("  ", dim); l.own(v.rows[v.cursor].title(), title) })
	line(noShade, func() { l.own("  ", dim); l.own(v.meaning(all), dim) })
	return out[:min(len(out), h-1)]
}

func (v *compareView) row(l *liner, c *contender, here bool, all []measure, fit []int) {
	bar := words("  ")
	if here {
		bar = "▎ "
	}
	l.own(bar, accent)
	for _, i := range fit {
		st := plain
		if !c.scored || i != v.sort && v.sort >= 0 {
			st = dim
		}
		l.own(words(padded(c.cell(&all[i]), all[i].cells)), st)
	}
	l.own("  ", plain)
	if c.now {
		l.own("now ", accent)
	}
	if c.name != "" {
		l.own(c.name+"  ", title)
	}
	switch {
	case c.why != "":
		l.own(c.why, changed)
	case !c.scored:
		l.own("…", faint)
	case c.Calls < c.Of:
		l.own(c.partly()+" ", changed)
	}
	if c.chain != "" && c.why == "" {
		l.own(c.told, dim)
	}
}

// progress is how many chains are scored.
func (v *compareView) progress() words {
	done := 0
	for i := range v.rows {
		if v.rows[i].scored || v.rows[i].why != "" {
			done++
		}
	}
	switch {
	case done == 0:
		return "reading the texts…"
	case done < len(v.rows):
		return figureWhole(done) + " of " + figureWhole(len(v.rows))
	}
	return plural(done, "chain")
}

// meaning says what the column means that is sorted by, or how to find out.
func (v *compareView) meaning(all []measure) words {
	if v.sort < 0 {
		return "← → sort by a column and say what it means"
	}
	return all[v.sort].name + ": " + all[v.sort].help
}
