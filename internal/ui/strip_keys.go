package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/timeline"
)

// toggleStrip shows the timeline and walks it; again it is left, and again hidden.
func (r *root) toggleStrip() {
	switch {
	case r.lay.strip == 0:
		r.strip.show = 1
		r.arrange()
		if r.lay.strip == 0 {
			r.strip.show = -1
			r.note = "the screen is too low for the timeline"
			return
		}
		r.strip.scrub = true
	case !r.strip.scrub:
		r.strip.scrub = true
	default:
		r.strip.show, r.strip.scrub = -1, false
		r.arrange()
	}
}

// stripTable is the keys of the timeline. Most go to a call.
func (r *root) stripTable() keyTable {
	column := func(to func(c *timeline.Chart, here int) int) func() tea.Cmd {
		return func() tea.Cmd {
			c := r.laid()
			return r.goCall(c.Columns[min(max(to(c, c.At(r.call)), 0), len(c.Columns)-1)].Largest)
		}
	}
	by := func(n int) func() tea.Cmd {
		return column(func(_ *timeline.Chart, here int) int { return here + n })
	}
	next := func(d int, m timeline.Mark) func() tea.Cmd {
		return func() tea.Cmd {
			if n := r.strip.data.Next(r.call, d, m); n > 0 {
				return r.goCall(n)
			}
			r.note = "no other call like that this way"
			return nil
		}
	}
	rows := []action{
		{keys: []string{"right", "l"}, hint: hint{"← →", "call"}, help: "the next column", run: by(1)},
		{keys: []string{"left", "h"}, help: "the column before", run: by(-1)},
		{keys: []string{"L", "shift+right", "pgdown"}, hint: hint{"H L", "ten"}, help: "ten columns on", run: by(10)},
		{keys: []string{"H", "shift+left", "pgup"}, help: "ten columns back", run: by(-10)},
		{keys: []string{"0", "home"}, hint: hint{"0 $", "ends"}, help: "the first call", run: column(func(*timeline.Chart, int) int { return 0 })},
		{keys: []string{"$", "end"}, help: "the last call", run: column(func(c *timeline.Chart, _ int) int { return len(c.Columns) - 1 })},
		{keys: []string{"x"}, hint: hint{"x X", "error"}, help: "the next call after an error", run: next(1, timeline.Failed)},
		{keys: []string{"X"}, help: "the previous call after an error", run: next(-1, timeline.Failed)},
		{keys: []string{">"}, hint: hint{"> <", "compaction"}, help: "the next call after a compaction", run: next(1, timeline.Cut)},
		{keys: []string{"<"}, help: "the previous call after a compaction", run: next(-1, timeline.Cut)},
		{keys: []string{"b", "!"}, hint: hint{"b B", "break"}, help: "the next call whose prefix broke", run: next(1, timeline.Broke)},
		{keys: []string{"B"}, help: "the previous call whose prefix broke", run: next(-1, timeline.Broke)},
		{keys: []string{"m"}, hint: hint{"m", "largest"}, help: "the call with the largest context", run: func() tea.Cmd { return r.goCall(r.laid().MaxCall) }},
		{keys: []string{"%"}, hint: hint{"%", "half"}, help: "the first call past half the window", run: r.toHalf},
	}
	for i := range rows {
		rows[i].disabled = r.noChart
	}
	return keyTable{"on the timeline, T", append(rows,
		action{keys: []string{"enter", "esc", "q"}, hint: hint{"enter", "done"}, help: "back to the panes; T hides the timeline", run: do(func() { r.strip.scrub = false })})}
}

// stripScreen is the timeline while it is walked: what is no key of its own is one of
// the panes above.
func (r *root) stripScreen() keyScreen {
	return keyScreen{tables: []keyTable{r.stripTable(), {rows: r.keys.table}}}
}

func (r *root) noChart() words {
	if c := r.laid(); c == nil || len(c.Columns) == 0 || r.strip.data == nil {
		return "the timeline is still being made"
	}
	return ""
}

// toBreak goes to the nearest call whose prefix broke.
func (r *root) toBreak(d int) tea.Cmd {
	of := r.replays.recorded
	if r.chain.wanted() != "" && r.replays.chained != nil {
		of = r.replays.chained
	}
	for n := r.call + d; n >= 1 && n <= of.Calls()+1; n += d {
		if of.Broke(n) {
			return r.goCall(n)
		}
	}
	r.note = "the prefix breaks at no other call this way"
	return nil
}
