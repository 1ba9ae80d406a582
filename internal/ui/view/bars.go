package view

import (
	"agentlens/internal/curate"
	"agentlens/internal/model"
)

// A BarMark is a set of what happened at a call.
type BarMark uint8

// What happened at a call.
const (
	CutMark    BarMark = 1 << iota // a compaction or clearing before the call
	BreakMark                      // a cache break
	FailedMark                     // a tool call of the reply failed
	NeededMark                     // the reply used a message that was no longer sent
)

// Bars are the sizes of all prompts of a thread, for a column of bars.
type Bars struct {
	Used  []int64 // tokens of each call
	Most  int64
	Marks []BarMark
}

// BarsOf returns the bars of a replay. It takes time proportional to the thread.
func BarsOf(of *curate.Replayed, sizes *curate.Sizes, t *model.Thread, breaks CacheBreaks) *Bars {
	b := &Bars{Used: make([]int64, len(t.Calls)), Marks: make([]BarMark, len(t.Calls))}
	for i := range t.Calls {
		b.Used[i], _ = ContextAt(of, sizes, i+1)
		b.Most = max(b.Most, b.Used[i])
		if breaks.Counted != nil && breaks.Has(i+1) {
			b.Marks[i] |= BreakMark
		}
	}
	for i := range t.Markers {
		if k := &t.Markers[i]; Cuts(k.Kind) {
			b.mark(t.CallAfter(k.After), CutMark)
		}
	}
	for i := range t.Len() {
		m := t.At(i)
		switch {
		case !FailedAt(t, i):
		case m.Role == model.Tool && m.Group >= 0:
			b.mark(int(t.At(int(m.Group)).Call), FailedMark)
		default:
			b.mark(int(m.Call), FailedMark)
		}
	}
	return b
}

func (b *Bars) mark(call int, m BarMark) {
	if call >= 1 && call <= len(b.Marks) {
		b.Marks[call-1] |= m
	}
}
