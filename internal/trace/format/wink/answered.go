package wink

import (
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat/loose"
)

// A made call is one of a thread under construction.
type made struct {
	call     *model.ToolCall
	at       model.Time
	answered bool
}

// answeredElsewhere ends pending calls whose tool event is recorded: a snapshot
// made in the middle of a call is one result behind its own events. An event
// belongs to the latest call of its id and name that was made before it.
func (l *loader) answeredElsewhere(events []item, threads []*model.ThreadBuilder) {
	if len(events) == 0 {
		return
	}
	calls := map[string][]*made{}
	for _, b := range threads {
		callsOf(b, calls)
	}
	for _, it := range events {
		c := latest(calls[it.Text("call_id")], it.Text("name"), it.at())
		if c == nil || c.answered {
			continue
		}
		c.answered, c.call.Ended = true, true
		c.call.Failed = c.call.Failed || failed(it.Object)
		l.Note(model.WarnMissingReference, it.place, "call %s ended: its tool event is recorded, its tool message is not; the result is in the document ToolInvoked", c.call.ID)
	}
}

// callsOf lists the calls of a thread by id, and which of them are answered.
func callsOf(b *model.ThreadBuilder, calls map[string][]*made) {
	open := map[string]*made{}
	for i := range b.Len() {
		m := b.At(i)
		if c := open[m.CallID]; m.Role == model.Tool && c != nil {
			c.answered = true
			continue
		}
		for j := range m.Calls {
			c := &made{call: &m.Calls[j], at: m.At}
			if id := c.call.ID; id != "" {
				open[id] = c
				calls[id] = append(calls[id], c)
			}
		}
	}
}

// latest is the last of the calls with that name made not later than at.
func latest(calls []*made, name string, at model.Time) *made {
	for i := len(calls) - 1; i >= 0; i-- {
		c := calls[i]
		if (name == "" || isNamed(c.call.Name, name)) && (at == 0 || c.at <= at) {
			return c
		}
	}
	return nil
}

// isNamed reports whether a call is of the tool: a bridge may put the name of its
// server in front, as in mcp__wink__note_add.
func isNamed(call, tool string) bool {
	return call == tool || strings.HasSuffix(call, "__"+tool)
}

// failed reports whether a tool event says that its tool did not succeed. Results
// of a provider's own tools do not say.
func failed(o loose.Object) bool {
	success, ok := o.Object("result").Bool("success")
	return ok && !success
}

// toolEvents lists the tool events of all releases: the first ones kept them
// inside ToolData.
func (s *snapshot) toolEvents() []item {
	events := s.items("ToolInvoked")
	for _, it := range s.items("ToolData") {
		if raw := it.Raw("source"); loose.Parse(raw) != nil {
			events = append(events, item{loose.Parse(raw), raw, it.place})
		}
	}
	return events
}
