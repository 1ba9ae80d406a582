package panes

import (
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
)

// Legend returns the gutter signs that occur in the view, each followed by its meaning.
func (m *Messages) Legend() (list []kit.Tag) {
	s := m.Shown
	if s == nil || m.Count == 0 {
		return nil
	}
	add := func(is bool, sign fateSign, means kit.Words) {
		if is {
			list = append(list, kit.Tag{Text: sign.sign, St: sign.st}, kit.Tag{Text: means, St: kit.Faint})
		}
	}
	kept := fateSigns[model.Kept]
	means := kit.Words("sent")
	if s.WhatIf {
		kept, means = fateSign{signAssumed, kit.Faint}, assumedSent
	}
	add(s.Counts[model.Kept] > 0, kept, means)
	add(s.Counts[model.WasChanged] > 0, fateSigns[model.WasChanged], "changed")
	add(s.Counts[model.Added] > 0, fateSigns[model.Added], "added")
	add(s.Counts[model.WasDropped] > 0, fateSigns[model.WasDropped], "dropped")
	add(s.Counts[model.Unrecorded] > 0, fateSigns[model.Unrecorded], notRecorded)
	add(m.Needs.Any(), fateSign{signNeeded, kit.Changed}, droppedButNeeded)
	add(s.Horizon >= 0, fateSign{signLater, kit.Faint}, notYetSent)
	return list
}

// barMeanings are the meanings of barSigns, in their order.
var barMeanings = [len(barSigns)]kit.Words{"context cut", "", "failed", "cache lost"}

// Legend returns the marks of the calls of the shown thread, each followed by its meaning. It omits marks that
// the legend of the messages explains.
func (t *Tree) Legend() (list []kit.Tag) {
	if !t.Barred() {
		return nil
	}
	for i, s := range barSigns {
		for _, marks := range t.sizesOfCalls.bars.Marks {
			if barMeanings[i] != "" && marks&s.mark != 0 {
				list = append(list, kit.Tag{Text: s.sign, St: s.st}, kit.Tag{Text: barMeanings[i], St: kit.Faint})
				break
			}
		}
	}
	return list
}

// Barred reports whether the row of the shown call is a bar.
func (t *Tree) Barred() bool {
	b, i := t.sizesOfCalls.bars, t.rowOfCall()
	return b != nil && b.Most > 0 && i >= 0 && i < len(t.Nodes) && (t.Nodes[i].Kind == CallNode || t.Nodes[i].Kind == NextNode && t.steps() == nil)
}

// LargestPrompt returns the size of the longest bar in tokens.
func (t *Tree) LargestPrompt() int64 { return t.sizesOfCalls.bars.Most }
