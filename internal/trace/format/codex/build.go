package codex

import (
	"fmt"
	"slices"

	"agentlens/internal/model"
)

// Build returns the run of an index. It consumes the index.
func (x *index) Build(partial bool) *model.Run {
	run := &model.Run{ID: x.id, Title: x.title, Format: "codex", Partial: partial, StartedAt: x.started}
	if run.ID == "" {
		run.ID = x.lines.File.Stem()
	}
	if x.copied && !x.turnsSeen {
		x.lines.Warn(model.WarnForkBoundary, "this session was forked, and its turns have no ids that tell where the copied messages end: all are taken for its own", x.lines.File.Path)
		x.ownUse.Add(x.copiedUse)
		for i := range x.replies {
			x.replies[i].copied = false
		}
	}
	use := x.ownUse
	run.Usage = &use
	kind := model.ThreadKind("main")
	if x.subAgent {
		kind = "sub-agent"
	}
	b := model.NewThread(run.ID, kind)
	place := make([]int32, len(x.units)) // index of the message for each unit
	next := 0
	for u := range x.units {
		for ; next < len(x.marks) && x.marks[next].unit <= u; next++ {
			x.placeMark(b, &x.marks[next], place)
		}
		place[u] = -1
		if !x.units[u].gone {
			place[u] = x.placeUnit(b, &x.units[u])
		}
		x.units[u].msg = nil
	}
	for ; next < len(x.marks); next++ {
		x.placeMark(b, &x.marks[next], place)
	}
	x.reconstruct(b)
	run.Threads = []*model.Thread{b.Build()}
	x.lines.Fill(run)
	if x.nickname != "" {
		run.Threads[0].Title = x.nickname + ": " + run.Threads[0].Title
	}
	return run
}

func (x *index) placeUnit(b *model.ThreadBuilder, u *unit) int32 {
	m := *u.msg
	if m.Role == model.Tool && x.failed[m.CallID] {
		m.IsError = true
	}
	i := b.Add(m)
	if u.reply < 0 || x.replies[u.reply].copied {
		return int32(i)
	}
	r := &x.replies[u.reply]
	b.Reply(i, model.Call{Model: r.model, Window: r.window, Usage: r.usage})
	return int32(i)
}

// placeMark adds a marker. If the marker changes what the provider sees, placeMark also
// adds an edit.
func (x *index) placeMark(b *model.ThreadBuilder, m *mark, place []int32) {
	t := b.Thread()
	after := b.Len() - 1
	m.After = after
	t.Markers = append(t.Markers, m.Marker)
	if m.event {
		x.unrecorded = append(x.unrecorded, after)
	}
	if m.edit == nil {
		return
	}
	e := model.Edit{
		Kind: model.Restart, After: after, From: after + 1, Text: m.edit.text, Role: model.User,
		Basis: model.Derived, Origin: m.Origin, Reason: fmt.Sprintf("compaction after message %d: %s", after, m.edit.reason),
	}
	for _, u := range m.edit.keep {
		if place[u] >= 0 {
			e.Targets = append(e.Targets, place[u])
		}
	}
	b.Edit(e)
}

// reconstruct marks the calls of a thread as reconstructed. The format records each
// compaction, so calls before the first compaction received all messages before them.
// The views of calls after a compaction without a recorded result are unknown until the
// next recorded compaction. The first versions may have compacted without a record.
func (x *index) reconstruct(b *model.ThreadBuilder) {
	const note = "reconstructed from the compactions of the rollout; the tool definitions are not in the file"
	known := func(c *model.Call, latest *model.Edit) bool {
		hidden, _ := slices.BinarySearch(x.unrecorded, c.Given)
		return hidden == 0 || latest != nil && latest.After >= x.unrecorded[hidden-1]
	}
	if x.bare {
		b.Reconstructed(note, known)
		return
	}
	b.Complete(note, known)
}
