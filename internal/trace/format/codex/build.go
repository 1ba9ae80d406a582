package codex

import (
	"fmt"

	"agentlens/internal/model"
)

// Build makes the run of an index. It uses up the index.
func (x *index) Build(partial bool) *model.Run {
	run := &model.Run{ID: x.id, Title: x.title, Format: "codex", Partial: partial, StartedAt: x.started}
	if run.ID == "" {
		run.ID = x.book.File.Stem()
	}
	if x.copied && !x.turnsSeen {
		x.book.Warn(model.WarnForkBoundary, "this session was forked, and its turns have no ids that tell where the copied messages end: all are taken for its own", x.book.File.Path)
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
	place := make([]int32, len(x.units)) // message of a unit
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
	basis(b.Thread(), x.blind)
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

// placeMark adds a marker and, where it tells what the provider was given from
// there on, the edit.
func (x *index) placeMark(b *model.ThreadBuilder, m *mark, place []int32) {
	t := b.Thread()
	after := b.Len() - 1
	m.After = after
	t.Markers = append(t.Markers, m.Marker)
	if m.event {
		x.blind = append(x.blind, after)
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

// basis marks the calls of a thread with compactions as reconstructed: the
// format records each one, so that before the first the whole thread was sent.
// blind lists the places of compactions that the record only tells of: what was
// sent after one of these is not known until the next that is recorded.
func basis(t *model.Thread, blind []int) {
	if len(t.Edits) == 0 {
		return
	}
	next, hidden := 0, 0
	for i := range t.Calls {
		c := &t.Calls[i]
		for next < len(t.Edits) && t.Edits[next].After < c.Given {
			next++
		}
		for hidden < len(blind) && blind[hidden] < c.Given {
			hidden++
		}
		if hidden > 0 && (next == 0 || t.Edits[next-1].After < blind[hidden-1]) {
			continue
		}
		c.Basis = model.Derived
		c.Note = "reconstructed from the compactions of the rollout; the tool definitions are not in the file"
		c.Evidence = t.Edits[max(next-1, 0)].Origin
	}
}
