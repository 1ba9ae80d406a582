package inspector

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/timeline"
)

// This file shows the timeline below the panes and goes to the calls it selects.

// timelineNow returns the timeline of the current call.
func (r *inspector) timelineNow() *timeline.Timeline {
	r.timeline.Show(timeline.State{Thread: r.Thread(), Call: r.Call, Width: r.w, Exact: r.msgs.Shown != nil && r.msgs.Shown.Exact})
	return r.timeline
}

// readTimeline reads the timeline of the current view if it is shown and not read yet.
func (r *inspector) readTimeline() tea.Cmd {
	if r.lay.timeline == 0 || r.msgs.Shown == nil || r.Replays == nil {
		return nil
	}
	return r.timeline.Update(r, r.wantedReplay(), r.msgs.Shown.Thread)
}

// wantedReplay returns the replay of the wanted chain, or of the record.
func (r *inspector) wantedReplay() *curate.Replayed {
	if r.chain.Wanted() != "" && r.Replays.Chained != nil {
		return r.Replays.Chained
	}
	return r.Replays.Recorded
}

// toggleTimeline shows the timeline and focuses it, or hides it if it is focused.
func (r *inspector) toggleTimeline() {
	switch {
	case r.lay.timeline == 0:
		r.timeline.Open()
		r.arrange()
		if r.lay.timeline == 0 {
			r.timeline.Hide()
			r.note = "the screen is too low for the timeline"
			return
		}
		r.timeline.Walk()
	case !r.timeline.Walking():
		r.timeline.Walk()
	default:
		r.timeline.Hide()
		r.arrange()
	}
}

// timelineScreen returns the keys while the timeline is focused: its own keys, then those of the
// panes.
func (r *inspector) timelineScreen() kit.KeyScreen {
	return kit.KeyScreen{Tables: []kit.KeyTable{r.timelineNow().Keys(r), {Rows: r.keys.table}}}
}

// toBreak goes to the next cache break in direction d.
func (r *inspector) toBreak(d int) tea.Cmd {
	breaks := r.Replays.BreaksShown(r.chain.Wanted())
	from := r.Call
	cmd := r.roundCalls(d, breaks.Has)
	if breaks.Has(r.Call) && r.Call != from {
		r.note = breaks.Words(r.Thread(), r.Call, r.cfg.Prices, r.Gated)
	}
	return cmd
}

// roundCalls goes to the nearest other call in direction d for which is returns true. It wraps at
// the ends and reports that.
func (r *inspector) roundCalls(d int, is func(call int) bool) tea.Cmd {
	all := len(r.Thread().Calls) + 1
	for step := 1; step < all; step++ {
		n, wrapped := r.Call+d*step, kit.Words("")
		switch {
		case n > all:
			n, wrapped = n-all, "wrapped to the first call"
		case n < 1:
			n, wrapped = n+all, "wrapped to the last call"
		}
		if is(n) {
			cmd := r.goCall(n)
			r.note = wrapped
			return cmd
		}
	}
	r.note = "no other such call"
	return nil
}
