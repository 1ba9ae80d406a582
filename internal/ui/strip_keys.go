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
			return r.roundCalls(d, func(n int) bool { return n <= r.strip.data.Calls() && r.strip.data.Marks[n-1]&m != 0 })
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
		{keys: []string{"M"}, hint: hint{"M", "largest"}, help: "the call with the largest context", run: func() tea.Cmd { return r.goCall(r.laid().MaxCall) }},
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
	return r.roundCalls(d, func(n int) bool { return n <= of.Calls()+1 && of.Broke(n) })
}

// roundCalls goes to the nearest call of a kind in direction d, past the last one to the
// first, and says so.
func (r *root) roundCalls(d int, is func(call int) bool) tea.Cmd {
	all := len(r.threadNow().Calls) + 1
	for step := 1; step < all; step++ {
		n := r.call + d*step
		round := words("")
		switch {
		case n > all:
			n, round = n-all, "from the first call again"
		case n < 1:
			n, round = n+all, "from the last call again"
		}
		if is(n) {
			cmd := r.goCall(n)
			r.note = round
			return cmd
		}
	}
	r.note = "there is no other call like that"
	return nil
}
