package ui

import (
	"slices"

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

// A keyRow is how a key of a mode of its own is shown: while that lasts, and in the
// help.
type keyRow struct {
	keys []string
	hint hint // the first of a pair says it for both
	help words
}

// stripAction is a key of the timeline. It goes to a call.
type stripAction struct {
	keyRow
	do func(r *root, c *timeline.Chart, here int) tea.Cmd
}

func stripTable() []stripAction {
	column := func(to func(c *timeline.Chart, here int) int) func(*root, *timeline.Chart, int) tea.Cmd {
		return func(r *root, c *timeline.Chart, here int) tea.Cmd {
			return r.goCall(c.Columns[min(max(to(c, here), 0), len(c.Columns)-1)].Largest)
		}
	}
	by := func(n int) func(*root, *timeline.Chart, int) tea.Cmd {
		return column(func(_ *timeline.Chart, here int) int { return here + n })
	}
	next := func(d int, m timeline.Mark) func(*root, *timeline.Chart, int) tea.Cmd {
		return func(r *root, _ *timeline.Chart, _ int) tea.Cmd {
			if n := r.strip.data.Next(r.call, d, m); n > 0 {
				return r.goCall(n)
			}
			r.note = "no other call like that this way"
			return nil
		}
	}
	return []stripAction{
		{keyRow{[]string{"right", "l"}, hint{"← →", "call"}, "the next column, and the one before"}, by(1)},
		{keyRow{keys: []string{"left", "h"}}, by(-1)},
		{keyRow{[]string{"L", "shift+right", "pgdown"}, hint{"H L", "ten"}, "ten columns on, or back"}, by(10)},
		{keyRow{keys: []string{"H", "shift+left", "pgup"}}, by(-10)},
		{keyRow{[]string{"home", "0"}, hint{"0 $", "ends"}, "the first and the last call"}, column(func(*timeline.Chart, int) int { return 0 })},
		{keyRow{keys: []string{"end", "$"}}, column(func(c *timeline.Chart, _ int) int { return len(c.Columns) - 1 })},
		{keyRow{[]string{"x"}, hint{"x X", "error"}, "the next call after an error, the one before"}, next(1, timeline.Failed)},
		{keyRow{keys: []string{"X"}}, next(-1, timeline.Failed)},
		{keyRow{[]string{">"}, hint{"> <", "compaction"}, "the next call after a compaction, the one before"}, next(1, timeline.Cut)},
		{keyRow{keys: []string{"<"}}, next(-1, timeline.Cut)},
		{keyRow{[]string{"b", "!"}, hint{"b B", "break"}, "the next call whose prefix broke, the one before"}, next(1, timeline.Broke)},
		{keyRow{keys: []string{"B"}}, next(-1, timeline.Broke)},
		{keyRow{[]string{"m"}, hint{"m", "largest"}, "the call with the largest context"}, func(r *root, c *timeline.Chart, _ int) tea.Cmd { return r.goCall(c.MaxCall) }},
		{keyRow{[]string{"%"}, hint{"%", "half"}, "the first call past half the window"}, func(r *root, _ *timeline.Chart, _ int) tea.Cmd { return r.toHalf() }},
		{keyRow{[]string{"enter", "esc"}, hint{"enter", "done"}, "back to the panes; T hides the timeline"}, func(r *root, _ *timeline.Chart, _ int) tea.Cmd { r.strip.scrub = false; return nil }},
	}
}

// stripKey gives a key to the timeline while it is walked; used is false for keys
// that are not its own.
func (r *root) stripKey(k string) (cmd tea.Cmd, used bool) {
	c := r.laid()
	if c == nil || len(c.Columns) == 0 {
		r.strip.scrub = k != "esc" && k != "enter"
		return nil, !r.strip.scrub
	}
	for _, a := range stripTable() {
		if slices.Contains(a.keys, k) {
			return a.do(r, c, c.At(r.call)), true
		}
	}
	return nil, false
}

// clickStrip goes to the call under a click.
func (r *root) clickStrip(x int) tea.Cmd {
	c := r.laid()
	if c == nil || x < 1 {
		return nil
	}
	if i := (x - 1) / c.Wide; i < len(c.Columns) {
		return r.goCall(c.Columns[i].Largest)
	}
	return nil
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
