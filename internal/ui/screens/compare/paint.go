package compare

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
)

// Keys returns the keys of the table.
func (v *Table) Keys(h kit.Host) kit.KeyScreen {
	move := func(n int) func() tea.Cmd { return kit.Do(func() { v.moveBy(n) }) }
	none := func() kit.Words {
		if c := v.Rows[v.Cursor]; !c.scored {
			return "not computed yet"
		}
		return ""
	}
	return kit.KeyScreen{Tables: []kit.KeyTable{{Name: "in the comparison, C", Rows: []kit.Action{
		{Keys: []string{"enter"}, Hint: kit.Hint{Key: "enter", Does: "use"}, Help: "apply this chain at the current call", Disabled: none, Run: func() tea.Cmd { return v.try(h) }},
		{Keys: []string{"right", "l", "s"}, Hint: kit.Hint{Key: "← →", Does: "sort"}, Help: "sort by the next column", Run: kit.Do(func() { v.sortBy(1) })},
		{Keys: []string{"left", "h"}, Help: "sort by the previous column", Run: kit.Do(func() { v.sortBy(-1) })},
		{Keys: []string{"down", "j"}, Hint: kit.Hint{Key: "↑ ↓", Does: "move"}, Help: "the next chain", Run: move(1)},
		{Keys: []string{"up", "k"}, Help: "the previous chain", Run: move(-1)},
		{Keys: []string{"pgdown", " "}, Help: "a page down", Run: func() tea.Cmd { v.moveBy(v.high); return nil }},
		{Keys: []string{"pgup"}, Help: "a page up", Run: func() tea.Cmd { v.moveBy(-v.high); return nil }},
		{Keys: []string{"g", "home"}, Help: "the first chain", Run: move(-1 << 20)},
		{Keys: []string{"G", "end"}, Help: "the last chain", Run: move(1 << 20)},
		{Keys: []string{"y"}, Hint: kit.Hint{Key: "y", Does: "copy"}, Help: "copy the table", Run: func() tea.Cmd { return v.copy(h) }},
		{Keys: []string{"esc", "q", "C"}, Hint: kit.Hint{Key: "esc", Does: "close"}, Help: "close the comparison", Run: h.Pop},
	}}}}
}

// moveBy moves the cursor by n rows.
func (v *Table) moveBy(n int) {
	v.Cursor = min(max(v.Cursor+n, 0), len(v.Rows)-1)
	v.top = min(max(v.top, v.Cursor-v.high+1), v.Cursor)
	v.top = max(min(v.top, len(v.Rows)-v.high), 0)
}

// sortBy moves the sort column by d. Moving left of the first column restores the original order.
func (v *Table) sortBy(d int) {
	v.Sort = min(max(v.Sort+d, 0), len(CompareColumns())-1)
	v.arrange()
}

// compareFrame is the number of lines around the rows: title, column names, chain under the cursor,
// column help and hints.
const compareFrame = 5

// Resize adapts the number of visible rows to the screen.
func (v *Table) Resize(_, h int) {
	v.high = max(h-compareFrame, 1)
	v.moveBy(0)
}

// Wheel moves the cursor by n rows.
func (v *Table) Wheel(n int) { v.moveBy(n) }

// Click selects a row. A click on the selected row shows its chain.
func (v *Table) Click(h kit.Host, at kit.Click) tea.Cmd {
	i := v.top + at.Y - 2
	if at.Y < 2 || i >= min(len(v.Rows), v.top+v.high) {
		return nil
	}
	if i == v.Cursor && v.Rows[i].scored {
		return v.try(h)
	}
	v.Cursor = i
	return nil
}

// Uncoloured returns nil: the table has no coloured text.
func (v *Table) Uncoloured(*kit.Colours) []kit.Colouring { return nil }

// Foot paints the hints.
func (v *Table) Foot(l *kit.LineWriter, s kit.KeyScreen) { kit.Hints(l, s.Hints()) }

// Draw paints the table.
func (v *Table) Draw(th *kit.Theme, _ *kit.Colours, w, h int) []string {
	var l kit.LineWriter
	out := make([]string, 0, h)
	line := func(sh kit.Shade, paint func()) {
		l.Reset(th, w, sh)
		paint()
		l.To(0)
		out = append(out, l.String())
	}
	line(kit.WeakShade, func() {
		l.Words(" ", kit.Strong)
		l.Words(v.Title, kit.Strong)
		l.Words("  tokens are those of whole prompts", kit.Dim)
		state := v.progress()
		l.To(text.Width(string(state)) + 1)
		l.Words(state, kit.Dim)
	})
	all, fit := CompareColumns(), fittingColumns(w)
	line(kit.NoShade, func() {
		l.Blank(2)
		for _, i := range fit {
			st := kit.Dim
			name := all[i].Name
			if i == v.Sort {
				st, name = kit.Accent, "▲"+name
			}
			l.Words(padded(name, all[i].cells), st)
		}
		l.Words("   CHAIN", kit.Dim)
	})
	for y := range v.high {
		if i := v.top + y; i < len(v.Rows) {
			sh := kit.NoShade
			if i == v.Cursor {
				sh = kit.CursorShade
			}
			line(sh, func() { v.paintRow(&l, &v.Rows[i], i == v.Cursor, all, fit) })
		} else {
			line(kit.NoShade, func() {})
		}
	}
	line(kit.WeakShade, func() { l.Words("  ", kit.Dim); l.Words(v.Rows[v.Cursor].Title(), kit.Title) })
	line(kit.NoShade, func() { l.Words("  ", kit.Dim); l.Words(v.meaning(all), kit.Dim) })
	return out[:min(len(out), h-1)]
}

// paintRow paints one row.
func (v *Table) paintRow(l *kit.LineWriter, c *Candidate, here bool, all []measure, fit []int) {
	bar := kit.Words("  ")
	if here {
		bar = "▎ "
	}
	l.Words(bar, kit.Accent)
	for _, i := range fit {
		st := kit.Plain
		if !c.scored || i != v.Sort && v.Sort >= 0 {
			st = kit.Dim
		}
		l.Words(padded(c.Cell(&all[i]), all[i].cells), st)
	}
	l.Words(c.bestMark(), kit.Accent)
	if c.Now {
		l.Words("now ", kit.Accent)
	}
	if c.Name != "" {
		l.Words(c.Name+"  ", kit.Title)
	}
	switch {
	case c.Why != "":
		l.Words(c.Why, kit.Changed)
	case !c.scored:
		l.Words("…", kit.Faint)
	case c.Viewed < c.Of:
		l.Words(c.partly()+" ", kit.Changed)
	}
	if c.Chain != "" && c.Why == "" {
		l.Words(c.ChainWords, kit.Dim)
	}
}

// progress returns how many chains are scored.
func (v *Table) progress() kit.Words {
	done := 0
	for i := range v.Rows {
		if v.Rows[i].scored || v.Rows[i].Why != "" {
			done++
		}
	}
	switch {
	case done == 0:
		return "reading the texts…"
	case done < len(v.Rows):
		return kit.Int(done) + " of " + kit.Int(len(v.Rows))
	}
	return kit.Plural(done, "chain")
}

// meaning explains the sort column, or how to select one.
func (v *Table) meaning(all []measure) kit.Words {
	if v.Sort < 0 {
		return "← → sort by a column and say what it means · ◆ no other chain costs less and loses no more of what was needed"
	}
	return all[v.Sort].Name + ": " + all[v.Sort].help
}
