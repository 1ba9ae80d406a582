package inspector

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/timeline"
)

// toggleStrip shows the timeline and walks it; again it is left, and again hidden.
func (r *inspector) toggleStrip() {
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
func (r *inspector) stripTable() kit.KeyTable {
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
	rows := []kit.Action{
		{Keys: []string{"right", "l"}, Hint: kit.Hint{Key: "← →", Does: "call"}, Help: "the next column", Run: by(1)},
		{Keys: []string{"left", "h"}, Help: "the column before", Run: by(-1)},
		{Keys: []string{"L", "shift+right", "pgdown"}, Hint: kit.Hint{Key: "H L", Does: "ten"}, Help: "ten columns on", Run: by(10)},
		{Keys: []string{"H", "shift+left", "pgup"}, Help: "ten columns back", Run: by(-10)},
		{Keys: []string{"0", "home"}, Hint: kit.Hint{Key: "0 $", Does: "ends"}, Help: "the first call", Run: column(func(*timeline.Chart, int) int { return 0 })},
		{Keys: []string{"$", "end"}, Help: "the last call", Run: column(func(c *timeline.Chart, _ int) int { return len(c.Columns) - 1 })},
		{Keys: []string{"x"}, Hint: kit.Hint{Key: "x X", Does: "error"}, Help: "the next call after an error", Run: next(1, timeline.Failed)},
		{Keys: []string{"X"}, Help: "the previous call after an error", Run: next(-1, timeline.Failed)},
		{Keys: []string{">"}, Hint: kit.Hint{Key: "> <", Does: "compaction"}, Help: "the next call after a compaction", Run: next(1, timeline.Cut)},
		{Keys: []string{"<"}, Help: "the previous call after a compaction", Run: next(-1, timeline.Cut)},
		{Keys: []string{"b", "!"}, Hint: kit.Hint{Key: "b B", Does: "break"}, Help: "the next call whose prefix broke", Run: next(1, timeline.Broke)},
		{Keys: []string{"B"}, Help: "the previous call whose prefix broke", Run: next(-1, timeline.Broke)},
		{Keys: []string{"M"}, Hint: kit.Hint{Key: "M", Does: "largest"}, Help: "the call with the largest context", Run: func() tea.Cmd { return r.goCall(r.laid().MaxCall) }},
		{Keys: []string{"%"}, Hint: kit.Hint{Key: "%", Does: "half"}, Help: "the first call past half the window", Run: r.toHalf},
	}
	for i := range rows {
		rows[i].Disabled = r.noChart
	}
	return kit.KeyTable{Name: "on the timeline, T", Rows: append(rows,
		kit.Action{Keys: []string{"enter", "esc", "q"}, Hint: kit.Hint{Key: "enter", Does: "done"}, Help: "back to the panes; T hides the timeline", Run: kit.Do(func() { r.strip.scrub = false })})}
}

// stripScreen is the timeline while it is walked: what is no key of its own is one of
// the panes above.
func (r *inspector) stripScreen() kit.KeyScreen {
	return kit.KeyScreen{Tables: []kit.KeyTable{r.stripTable(), {Rows: r.keys.table}}}
}

func (r *inspector) noChart() kit.Words {
	if c := r.laid(); c == nil || len(c.Columns) == 0 || r.strip.data == nil {
		return "the timeline is still being made"
	}
	return ""
}

// toBreak goes to the nearest call whose prefix broke.
func (r *inspector) toBreak(d int) tea.Cmd {
	of := r.replays.Recorded
	if r.chain.wanted() != "" && r.replays.Chained != nil {
		of = r.replays.Chained
	}
	return r.roundCalls(d, func(n int) bool { return n <= of.Calls()+1 && of.Broke(n) })
}

// roundCalls goes to the nearest call of a kind in direction d, past the last one to the
// first, and says so.
func (r *inspector) roundCalls(d int, is func(call int) bool) tea.Cmd {
	all := len(r.threadNow().Calls) + 1
	for step := 1; step < all; step++ {
		n := r.call + d*step
		round := kit.Words("")
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
