package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
)

// This file is why a view is what it is: how it is known, what fills it, what became
// of the message or marker under the cursor.

// openInfo says what became of what is under the cursor, and how the view is known.
func (r *root) openInfo() tea.Cmd {
	if r.noView() != "" {
		return nil
	}
	s, run, gate := r.msgs.shown, r.scene.run, r.cfg.Gate
	call := s.recordedCall()
	it, wide, high := r.msgs.at(), r.w, r.h
	var of *curate.Replayed
	if r.replays != nil {
		of = r.replays.recorded
	}
	recorded, prices := r.chain.wanted() == "", r.cfg.Prices
	return r.opening("", "", func(context.Context) (overlay, error) {
		var blocks []block
		p := newPager("why", nil)
		p.toggle = []string{"i"}
		switch {
		case it == nil || it.kind == horizonItem:
		case it.kind == markerItem:
			k := &s.thread.Markers[it.index]
			blocks = factBlocks(gate, "this marker", markerFacts(k, s, of, run))
			if after := s.thread.CallAfter(k.After); recorded && cuts(k.Kind) && after > 1 && of != nil && of.Has(after) {
				p.cut = func() tea.Cmd { return r.openDiff(diffIntent{callAgainstNext, after - 1, after}) }
			}
		default:
			blocks = factBlocks(gate, "this message", messageFacts(s, it, run))
		}
		p.blocks = append(blocks, factBlocks(gate, "this view", viewFacts(s, call, run, prices))...)
		p.resize(wide, high)
		return p, nil
	})
}
