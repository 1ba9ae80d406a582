package codex

import (
	"fmt"

	"agentlens/internal/model"
)

// Build returns the run of an index. It consumes the index.
func (x *index) Build(partial bool) *model.Run {
	run := &model.Run{ID: x.id, Title: x.title, Format: "codex", Partial: partial, StartedAt: x.started}
	if run.ID == "" {
		run.ID = x.book.File.Stem()
	}
	if x.copied && !x.turnsSeen {
		x.book.Warn("fork-boundary", "this session was forked, and its turns have no ids that tell where the copied messages end: all are taken for its own", x.book.File.Path)
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
	place := make([]int32, len(x.units)) // message index of each unit
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
	basis(b.Thread(), x.unrecorded)
	run.Threads = []*model.Thread{b.Build()}
	x.book.Fill(run)
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
	t, r := b.Thread(), &x.replies[u.reply]
	t.Calls = append(t.Calls, model.Call{
		Number: len(t.Calls) + 1, Given: i, Reply: int32(i), At: m.At, Model: r.model, Window: r.window, Usage: r.usage,
	})
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
	t.Edits = append(t.Edits, e)
}

// basis marks the calls of a thread with compactions as reconstructed. The format
// records each compaction, so calls before the first one received the whole thread.
// unrecorded lists the positions of compactions without a recorded result. Calls after such
// a position stay unknown until the next recorded compaction.
func basis(t *model.Thread, unrecorded []int) {
	if len(t.Edits) == 0 {
		return
	}
	next, hidden := 0, 0
	for i := range t.Calls {
		c := &t.Calls[i]
		for next < len(t.Edits) && t.Edits[next].After < c.Given {
			next++
		}
		for hidden < len(unrecorded) && unrecorded[hidden] < c.Given {
			hidden++
		}
		if hidden > 0 && (next == 0 || t.Edits[next-1].After < unrecorded[hidden-1]) {
			continue
		}
		c.Basis = model.Derived
		c.Note = "reconstructed from the compactions of the rollout; the tool definitions are not in the file"
		c.Evidence = t.Edits[max(next-1, 0)].Origin
	}
}
