package spans

import (
	"slices"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/shapes"
)

// toolsBefore shows what the tools gave that began before a time: results of the
// calls made, or calls and results where no words were recorded.
func (t *talk) toolsBefore(at model.Time) {
	var ran []*operation
	t.tools = slices.DeleteFunc(t.tools, func(op *operation) bool {
		if op.Span.Start < at {
			ran = append(ran, op)
			return true
		}
		return false
	})
	if t.words {
		t.tools = append(t.answers(ran), t.tools...)
		return
	}
	for _, op := range ran {
		t.ran(op)
	}
}

// answers adds the results of tools whose calls no message answers, and returns
// the others.
func (t *talk) answers(tools []*operation) (others []*operation) {
	for _, op := range tools {
		if i := match(t.open, op); i >= 0 {
			t.result(op, t.open[i].ID)
			continue
		}
		others = append(others, op)
	}
	return others
}

// follow keeps account of the calls that no message answers yet, and of those the
// run knows.
func (t *talk) follow(m *shapes.Message) {
	for _, c := range m.Calls {
		t.called[c.ID], t.calledName[c.Name] = true, true
		if !c.Server && c.ID != "" {
			c.Args = shapes.Canonical(c.Args)
			t.open = append(t.open, c)
		}
	}
	if m.Role != model.Tool {
		return
	}
	if i := slices.IndexFunc(t.open, func(c shapes.Call) bool { return c.ID == m.CallID }); i >= 0 {
		t.open = slices.Delete(t.open, i, i+1)
	}
}

// made reports whether some message of the run makes the call a tool ran for: by
// its id, or by the tool's name where the operation has no id.
func (l *loader) made(op *operation) bool {
	if op.Call.ID != "" {
		return l.called[op.Call.ID]
	}
	return l.words && l.calledName[op.Call.Name]
}

// match finds the call that a tool ran for: by its id; where the operation has
// none by the tool's name and arguments, or by the name where only one call has it.
func match(open []shapes.Call, op *operation) int {
	if op.Call.ID != "" {
		return slices.IndexFunc(open, func(c shapes.Call) bool { return c.ID == op.Call.ID })
	}
	args, same, named, only := shapes.Canonical(op.Call.Args), -1, 0, -1
	for i, c := range open {
		if c.Name != op.Call.Name {
			continue
		}
		named, only = named+1, i
		if c.Args == args && same < 0 {
			same = i
		}
	}
	switch {
	case same >= 0:
		return same
	case named == 1:
		return only
	}
	return -1
}

// result adds what a tool gave back as a message. It is marked: the conversation
// itself does not hold it.
func (t *talk) result(op *operation, id string) {
	m := shapes.Result(id, op.Call.Name, op.Result)
	if m.IsError = op.Failed; op.Failed && m.Empty() {
		m = shapes.Said(model.Tool, op.Error, op.Raw)
		m.CallID, m.Tool, m.IsError = id, op.Call.Name, true
	}
	if len(m.Raw) == 0 {
		m.Raw = op.Raw
	}
	m.At = max(op.Span.End, op.Span.Start)
	t.reconstruct(m, op.at("result"))
}

// ran shows a tool's run as the call and the result that no message records.
func (t *talk) ran(op *operation) {
	c := op.Call
	if c.ID == "" {
		c.ID = op.ID
	}
	made := shapes.Made(c, op.Raw)
	made.At = op.Span.Start
	t.reconstruct(made, op.at("call"))
	t.result(op, c.ID)
}

func (t *talk) reconstruct(m shapes.Message, place string) {
	at := t.thread.At(int(t.add(m, place)))
	at.Badges = at.Badges.With(model.Reconstructed)
}
