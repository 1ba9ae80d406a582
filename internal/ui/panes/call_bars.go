package panes

import (
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// A callBars is the column of bars of the shown thread: the size of the prompt of each call.
type callBars struct {
	bars  *view.Bars
	needs *view.Needs
}

// Bars sets the sizes of the prompts of the shown thread and the needs of its replies.
func (t *Tree) Bars(b *view.Bars, needs *view.Needs) { t.sizesOfCalls = callBars{b, needs} }

// barSigns are the marks at the end of a bar, most important first.
var barSigns = [...]struct {
	mark  view.BarMark
	sign  kit.Words
	st    kit.Style
	means kit.Words
}{
	{view.CutMark, kit.SignCut, kit.Marker, "compaction"},
	{view.NeededMark, kit.SignNeeds, kit.Warning, neededDropped},
	{view.FailedMark, kit.SignFailed, kit.Failure, "failed"},
	{view.BreakMark, kit.SignCacheBreak, kit.CacheBroken, "cache break"},
}

// marksOf returns what happened at a call.
func (t *Tree) marksOf(call int) view.BarMark {
	b := t.sizesOfCalls.bars
	if b == nil || call < 1 || call > len(b.Marks) {
		return 0
	}
	marks, needs := b.Marks[call-1], t.sizesOfCalls.needs
	if reply, ok := t.labels.Run.Threads[t.thread].Calls[call-1].Reply.Get(); ok && needs != nil && needs.Uses(reply) {
		marks |= view.NeededMark
	}
	return marks
}

var barEighths = [...]kit.Words{"", "▏", "▏", "▍", "▌", "▋", "▊", "▉"}

// leastBar is the width of the narrowest bar, in cells.
const leastBar = 4

// barRow paints a call as a bar with marks. It returns false if the sizes of the prompts are not known,
// or the pane is too narrow.
func (t *Tree) barRow(l *kit.LineWriter, n node) bool {
	b := t.sizesOfCalls.bars
	if b == nil || n.Kind != CallNode || n.Thread != t.thread || n.N > len(b.Used) || b.Most <= 0 {
		return false
	}
	th := t.labels.Run.Threads[n.Thread]
	c := &th.Calls[n.N-1]
	number, digits := kit.Int(n.N), len(kit.Int(len(th.Calls)))
	room := l.Left - 2 - digits - 1 - len(barSigns)
	if room < leastBar || c.Badges != 0 {
		return false
	}
	st, bar := kit.Dim, kit.GaugeFull
	if n.N == t.call {
		st, bar = kit.Accent, kit.Accent
		l.Words("◆ ", kit.Accent)
	} else {
		l.Blank(2)
	}
	l.Blank(digits - len(number))
	l.Words(number, st)
	l.Blank(1)
	l.Within(room, func() {
		eighths := int(b.Used[n.N-1] * int64(8*room) / b.Most)
		l.Words(kit.Repeat("█", eighths/8), bar)
		l.Words(barEighths[eighths%8], bar)
	})
	marks := t.marksOf(n.N)
	for _, s := range barSigns {
		if marks&s.mark != 0 && text.Width(string(s.sign)) <= l.Left {
			l.Words(s.sign, s.st)
		}
	}
	return true
}
