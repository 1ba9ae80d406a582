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

// stripKey gives a key to the timeline while it is walked; used is false for keys
// that are not its own.
func (r *root) stripKey(k string) (cmd tea.Cmd, used bool) {
	c := r.laid()
	if c == nil || len(c.Columns) == 0 {
		r.strip.scrub = k != "esc" && k != "enter"
		return nil, !r.strip.scrub
	}
	here := c.At(r.call)
	column := func(i int) (tea.Cmd, bool) {
		i = min(max(i, 0), len(c.Columns)-1)
		return r.goCall(c.Columns[i].Largest), true
	}
	next := func(d int, m timeline.Mark) (tea.Cmd, bool) {
		if n := r.strip.data.Next(r.call, d, m); n > 0 {
			return r.goCall(n), true
		}
		r.note = "no other call like that this way"
		return nil, true
	}
	switch k {
	case "esc", "enter":
		r.strip.scrub = false
		return nil, true
	case "right", "l":
		return column(here + 1)
	case "left", "h":
		return column(here - 1)
	case "L", "shift+right", "pgdown":
		return column(here + 10)
	case "H", "shift+left", "pgup":
		return column(here - 10)
	case "home", "0":
		return column(0)
	case "end", "$":
		return column(len(c.Columns) - 1)
	case "x":
		return next(1, timeline.Failed)
	case "X":
		return next(-1, timeline.Failed)
	case ">":
		return next(1, timeline.Cut)
	case "<":
		return next(-1, timeline.Cut)
	case "!", "b":
		return next(1, timeline.Broke)
	case "B":
		return next(-1, timeline.Broke)
	case "m":
		return r.goCall(c.MaxCall), true
	}
	return nil, false
}

// stripHints are the keys while the timeline is walked.
func stripHints() []hint {
	return []hint{{"← →", "call"}, {"H L", "ten"}, {"x X", "error"}, {"> <", "compaction"}, {"b B", "break"}, {"m", "largest"}, {"enter", "done"}, {"T", "hide"}}
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
