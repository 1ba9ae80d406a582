package pi

import (
	"fmt"
	"slices"

	"agentlens/internal/model"
)

// Build makes the run of an index.
func (x *index) Build(partial bool) *model.Run {
	run := &model.Run{ID: x.id, Title: x.name, Format: "pi", Partial: partial, StartedAt: x.started}
	if run.ID == "" {
		run.ID = x.lines.File.Stem()
	}
	run.Usage = &x.total
	b := model.NewThread(run.ID, "main")
	place := map[int32]int{} // messages before an entry of the way
	var last choice
	for _, at := range x.way() {
		e := &x.entries[at]
		place[at] = b.Len()
		if e.msg != nil {
			i := b.Add(*e.msg)
			e.msg = nil
			if e.call != nil {
				last.model = e.call.model
				b.Reply(i, model.Call{Model: e.call.model, Usage: e.call.usage})
			}
		}
		if e.marker != nil {
			mark(b, e.marker, place, &last)
		}
	}
	x.otherBranches()
	// The format records every compaction, so the whole branch was sent before the first.
	b.Reconstructed("reconstructed from the compactions of the session; the system prompt and the tool definitions are not in the file", nil)
	run.Threads = []*model.Thread{b.Build()}
	x.lines.Fill(run)
	return run
}

// way lists the entries from the root to the last entry of the file.
func (x *index) way() []int32 {
	var way []int32
	for at := int32(len(x.entries)) - 1; at >= 0; at = x.entries[at].up { // an entry hangs on an earlier one
		way = append(way, at)
	}
	slices.Reverse(way)
	return way
}

// otherBranches files the messages that are not on the way.
func (x *index) otherBranches() {
	for i := range x.entries {
		if m := x.entries[i].msg; m != nil {
			x.lines.Gather("rewound records", "rewound", m.Origin[0])
			x.entries[i].msg = nil
		}
	}
}

// effortKey is what a marker calls how hard the model is to think.
const effortKey = "effort"

// A choice is which model is asked, and how hard it is to think.
type choice struct{ model, effort string }

// changed takes a new choice and gives its marker the one before. The first choice
// is no change.
func (c *choice) changed(m *marker) bool {
	before, key := &c.model, "from"
	if m.Detail[0].Key == effortKey {
		before, key = &c.effort, "effort_from"
	}
	from := *before
	*before, _ = m.Detail[0].Value.(string)
	if from == "" || from == *before {
		return false
	}
	m.Detail = append([]model.Detail{{Key: key, Value: from}}, m.Detail...)
	return true
}

// mark adds a marker and, for a compaction, what the provider was given from
// there on: the summary, then what was kept.
func mark(b *model.ThreadBuilder, m *marker, place map[int32]int, last *choice) {
	t := b.Thread()
	m.After = b.Len() - 1
	if m.Kind == model.ModelChanged && !last.changed(m) {
		return
	}
	t.Markers = append(t.Markers, m.Marker)
	if m.Kind != model.Compaction {
		return
	}
	from, onWay := place[m.kept]
	if !onWay {
		from = b.Len()
	}
	b.Edit(model.Edit{
		Kind: model.Restart, After: m.After, From: from, Text: m.summary, Role: model.User, Basis: model.Derived, Origin: m.Origin,
		Reason: fmt.Sprintf("compaction after message %d: its summary, and the messages from %d on", m.After, from),
	})
}
