package engine

import (
	"context"

	"agentlens/internal/model"
	"agentlens/internal/witness"
)

// Ledgers returns the ledger of every call of a thread and of the next one. messages returns the size of the
// view of a call, counted by lens. The states of the calls, which package witness sets, show which prompts
// only grew and where one restarted.
func Ledgers(t *model.Thread, messages func(call int) int64) []model.Ledger {
	list := make([]model.Ledger, len(t.Calls)+1)
	for i := range list {
		list[i].Messages = messages(i + 1)
		if i < len(t.Calls) {
			list[i].Counted, _ = t.Calls[i].Usage.Prompt()
		}
	}
	var g growth
	for i := range t.Calls {
		g.step(t, i, list)
	}
	factor := g.factor()
	if factor == 0 {
		return list
	}
	midway := beginsMidway(t)
	head, first, known := int64(0), int64(0), false
	for i := range list {
		l := &list[i]
		l.Factor = factor
		if midway && i < len(t.Calls) && t.Calls[i].Basis == model.NotRecorded {
			continue // its messages are not all in the record
		}
		if l.Counted > 0 && (!known || t.Calls[i].State == model.PromptFirst || t.Calls[i].State == model.PromptRestarted) {
			// A prompt that is smaller than its messages reveals nothing about the system prompt: some of the
			// messages were not sent.
			if rest := model.Tokens(float64(l.Counted) - l.Scaled()); rest >= 0 || !known {
				head = max(rest, 0)
			}
			if !known {
				first, known = head, true
			}
		}
		l.Head, l.HeadKnown, l.Restored = head, known, 0
		if !midway {
			l.Restored = max(0, head-first)
		}
		l.Explain()
	}
	return list
}

// LedgersOf returns the ledgers of a thread with its recorded views, see [Ledgers]. sizes are
// those of [Measure], without scaling, or of [MeasureFor].
func LedgersOf(ctx context.Context, run *model.Run, t *model.Thread, sizes *Sizes) ([]model.Ledger, error) {
	if sizes.ledgers != nil {
		return sizes.ledgers.All(), nil
	}
	r, err := Recorded(ctx, Input{Run: run, Thread: t, Sizes: sizes, Texts: sizes.Counted()})
	if err != nil {
		return nil, err
	}
	return r.ledgers(), nil
}

func (r *Replayed) ledgers() []model.Ledger {
	return Ledgers(r.in.Thread, func(call int) int64 {
		_, view := r.Tally(call)
		return view.Tokens
	})
}

// Ledger returns the ledger of a call. For a simulated view, it has no counted prompt.
func (r *Replayed) Ledger(call int) model.Ledger {
	_, view := r.Tally(call)
	l := model.Ledger{Messages: r.in.Sizes.unscaled(view.Tokens)}
	known, ok := r.in.Sizes.ledgers.At(call)
	if !ok {
		return l
	}
	if r.basis != model.Simulated && r.Has(call) {
		return known
	}
	l.Factor, l.Head, l.HeadKnown, l.Restored = known.Factor, known.Head, known.HeadKnown, known.Restored
	return l
}

// A growth sums the counts of the provider and of lens over the steps that only append messages.
type growth struct {
	theirs, ours float64
	steps        int
}

// step adds the step to call i, if there is one that only appends messages.
func (g *growth) step(t *model.Thread, i int, list []model.Ledger) {
	b := witness.Before(t, i)
	if b < 0 || t.Calls[i].State != model.PromptAppended || list[i].Counted <= 0 {
		return
	}
	g.theirs += float64(list[i].Counted) - float64(list[b].Counted)
	g.ours += float64(list[i].Messages - list[b].Messages)
	g.steps++
}

// factor returns the provider's count for one local token, or 0 if there are too few steps or
// their counts do not follow the messages.
func (g *growth) factor() float64 {
	if g.steps < minSteps || g.ours < minAdded {
		return 0
	}
	if f := g.theirs / g.ours; f >= lowestFactor && f <= highestFactor {
		return f
	}
	return 0
}

func beginsMidway(t *model.Thread) bool {
	return len(t.Markers) > 0 && t.Markers[0].Kind == model.BeginsMidway
}
