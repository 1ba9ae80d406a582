package copilotcli

import (
	"hash/maphash"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
)

// messages maps the kinds of events that are messages to their handlers.
var messages = map[string]func(*index){
	"system.message":          (*index).systemMessage,
	"user.message":            (*index).userMessage,
	"assistant.message":       (*index).reply,
	"tool.execution_complete": (*index).toolResult,
}

// add adds a message as a unit.
func (x *index) add(t *thread, m model.Message) *unit {
	m.At = x.row.Time(x.r.time)
	if m.ID == "" {
		m.ID = x.row.String(x.r.id)
	}
	m.Origin = []model.Ref{x.row.Whole()}
	u := &unit{msg: &m, event: x.events - 1}
	t.units = append(t.units, u)
	x.lines.Message()
	return u
}

func (x *index) text(at span) []model.Part {
	if at.Absent() {
		return nil
	}
	return []model.Part{{Kind: model.Text, Body: x.row.Value(at)}}
}

// systemMessage adds a system prompt. Every resume records the prompt again, so
// systemMessage ignores repeated prompts.
func (x *index) systemMessage() {
	r, t := &x.r, x.current()
	text := maphash.Bytes(x.seed, x.row.Data[r.content.Start:r.content.End])
	if t.system[text] {
		x.lines.Document("system.message events", "records", x.row.Whole())
		return
	}
	t.system[text] = true
	x.add(t, model.Message{Role: model.System, Parts: x.text(r.content)})
}

func (x *index) userMessage() {
	r := &x.r
	m := model.Message{Role: model.User, Parts: append(x.text(r.content), x.attachments(r.attached)...)}
	if by := x.row.String(r.source); by != "" && by != "user" {
		m.Badges = m.Badges.With(model.Injected)
	}
	u := x.add(x.current(), m)
	if sent := x.row.String(r.transformed); sent != x.row.String(r.content) {
		u.sent = chat.Cut(sent, maxText)
	}
}

// reply adds a reply. Events with the same message id form one reply.
func (x *index) reply() {
	r, t := &x.r, x.current()
	x.replyEnd = true
	id := x.row.String(r.message)
	u := t.byID[id]
	if u == nil || id == "" || u.gone {
		u = x.add(t, model.Message{Role: model.Assistant, ID: id})
		u.reply = true
		t.byID[id] = u
	} else {
		x.lines.Message()
		u.msg.Origin = append(u.msg.Origin, x.row.Whole())
	}
	m := u.msg
	if r.reasoning.Len() > 2 {
		m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Body: x.row.Text(r.reasoning)})
	} else if !t.thought.None() {
		m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Body: t.thought})
	}
	t.thought = model.Ref{}
	for _, sealed := range []span{r.opaque, r.encrypted} {
		if sealed.Len() > 2 {
			m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Body: x.row.Text(sealed), Sealed: true})
			m.Badges = m.Badges.With(model.Sealed)
		}
	}
	if r.content.Len() > 2 {
		m.Parts = append(m.Parts, x.text(r.content)...)
	}
	for i := range r.requests {
		x.request(t, m, &r.requests[i])
	}
	u.model = x.replyModel(t)
	if r.hasOutput {
		u.usage.Set(model.UsageOutput, r.output)
	}
}

// replyModel returns the model of the current reply. If the reply has no recorded
// model, replyModel returns the model chosen for the session or, for a sub-agent,
// the last model recorded for the agent.
func (x *index) replyModel(t *thread) string {
	name := x.lines.Name(x.row, x.r.model)
	switch {
	case t.key == "" && name == "":
		return x.model
	case name == "":
		return t.model
	}
	t.model = name
	return name
}

func (x *index) request(t *thread, m *model.Message, q *request) {
	c := model.ToolCall{ID: x.row.String(q.id), Name: x.lines.Name(x.row, q.name), Args: x.row.Value(q.args)}
	for i := range m.Calls {
		if m.Calls[i].ID == c.ID && c.ID != "" {
			return
		}
	}
	m.Calls = append(m.Calls, c)
	x.byCall[c.ID] = t
}

func (x *index) toolResult() {
	r := &x.r
	m := model.Message{Role: model.Tool, CallID: x.row.String(r.callID), IsError: r.failed, Parts: x.text(r.result)}
	if len(m.Parts) == 0 {
		m.Parts = x.text(r.failure)
	}
	for _, p := range x.attachments(r.images) {
		if p.Kind != model.Opaque { // content already holds the text
			m.Parts = append(m.Parts, p)
		}
	}
	t := x.byCall[m.CallID]
	if t == nil {
		t = x.current()
	}
	x.add(t, m)
}

func (x *index) attachments(list []attachment) []model.Part {
	var parts []model.Part
	for _, a := range list {
		media := x.lines.Name(x.row, a.media)
		p := model.Part{Kind: model.File, Media: media, Body: x.row.Text(a.body)}
		switch {
		case a.body.Len() <= 2:
			p = model.Part{Kind: model.Opaque, Media: x.lines.Name(x.row, a.kind), Body: x.row.Ref(a.whole, model.JSONValue)}
		case strings.HasPrefix(media, "image/"):
			p.Kind = model.Image
		}
		parts = append(parts, p)
	}
	return parts
}
