package pi

import (
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
)

// A role holds the model role and the badges for a recorded role.
type role struct {
	is     model.Role
	badges []model.Badge
}

// roles maps the recorded roles; hookMessage is the name of custom in version 2.
var roles = map[string]role{
	"user":              {model.User, nil},
	"assistant":         {model.Assistant, nil},
	"toolResult":        {model.Tool, nil},
	"system":            {model.System, nil},
	"developer":         {model.System, nil},
	"bashExecution":     {model.User, []model.Badge{model.Injected}},
	"custom":            {model.User, []model.Badge{model.Injected}},
	"hookMessage":       {model.User, []model.Badge{model.Injected}},
	"branchSummary":     {model.User, []model.Badge{model.Injected, model.Summary}},
	"compactionSummary": {model.User, []model.Badge{model.Injected, model.Summary}},
}

func (x *index) newMessage(role model.Role, parts []model.Part, badges ...model.Badge) *model.Message {
	m := &model.Message{
		Role: role, ID: x.row.String(x.r.id), At: x.at(), Parts: parts, Origin: []model.Ref{x.row.Whole()},
	}
	for _, b := range badges {
		m.Badges = m.Badges.With(b)
	}
	return m
}

// message adds a message entry.
func (x *index) message(e *entry) {
	r := &x.r
	name := x.lines.Name(x.row, r.role)
	is, ok := roles[name]
	if !ok || !r.hasMessage {
		x.lines.Opaque("message of role "+name, x.row.Whole())
		return
	}
	x.lines.Message()
	m := x.newMessage(is.is, x.content(), is.badges...)
	e.msg = m
	switch m.Role {
	case model.Assistant:
		m.Calls = x.calls()
		for i := range m.Parts {
			if m.Parts[i].Sealed {
				m.Badges = m.Badges.With(model.Sealed)
			}
		}
		stop := x.lines.Name(x.row, r.stop)
		if stop == "error" {
			m.Badges = m.Badges.With(model.ErrorBadge)
			what := chat.Cut(x.row.String(r.failure), 500)
			e.marker = x.marker(model.ErrorMarker, model.Detail{Key: "message", Value: what})
		}
		e.call = &call{model: x.lines.Name(x.row, r.model), usage: r.usage.normal(), stop: stop}
		x.total.Add(e.call.usage)
	case model.Tool:
		m.CallID, m.ToolName, m.IsError = x.row.String(r.callID), x.lines.Name(x.row, r.tool), r.isError
	}
	for _, at := range []span{r.command, r.output} {
		if name == "bashExecution" && at.Len() > 2 {
			m.Parts = append(m.Parts, model.Part{Kind: model.Text, Body: x.row.Text(at)})
		}
	}
	if len(m.Parts) == 0 && r.summary.Len() > 2 {
		m.Parts = []model.Part{{Kind: model.Text, Body: x.row.Text(r.summary)}}
	}
	if r.excluded {
		m.Badges = m.Badges.With(model.Dropped)
	}
}

// content returns the parts of the current content, without calls.
func (x *index) content() []model.Part {
	r := &x.r
	if !r.text.Absent() {
		return []model.Part{{Kind: model.Text, Body: x.row.Text(r.text)}}
	}
	var parts []model.Part
	for i := range r.blocks {
		b := &r.blocks[i]
		switch kind := x.lines.Name(x.row, b.typ); kind {
		case "text", "":
			parts = append(parts, model.Part{Kind: model.Text, Body: x.row.Text(b.text)})
		case "thinking":
			sealed := b.redacted || b.text.Len() <= 2 && b.sign.Len() > 2
			if sealed && b.text.Len() <= 2 {
				b.text = b.sign
			}
			parts = append(parts, model.Part{Kind: model.Thinking, Body: x.row.Text(b.text), Sealed: sealed})
		case "image":
			parts = append(parts, model.Part{Kind: model.Image, Media: x.lines.Name(x.row, b.media), Body: x.row.Text(b.text)})
		case "toolCall":
		default:
			parts = append(parts, model.Part{Kind: model.Opaque, Media: kind, Body: x.row.Ref(b.whole, model.JSONValue)})
		}
	}
	return parts
}

func (x *index) calls() []model.ToolCall {
	var calls []model.ToolCall
	for i := range x.r.blocks {
		b := &x.r.blocks[i]
		if x.lines.Name(x.row, b.typ) == "toolCall" {
			calls = append(calls, model.ToolCall{
				ID: x.row.String(b.id), Name: x.lines.Name(x.row, b.name), Args: x.row.Value(b.args),
			})
		}
	}
	return calls
}

// normal returns the usage in the normal form. The recorded counts already have
// that form.
func (u usage) normal() model.Usage {
	var v model.Usage
	for _, f := range []struct {
		field model.UsageField
		n     int64
		has   bool
	}{
		{model.UsageInput, u.input, u.hasInput},
		{model.UsageOutput, u.output, u.hasOutput},
		{model.UsageCacheRead, u.read, u.hasRead},
		{model.UsageCacheWrite, u.write, u.hasWrite},
		{model.UsageReasoning, u.reasoning, u.hasReasoning},
	} {
		if f.has {
			v.Set(f.field, f.n)
		}
	}
	if u.hasCost {
		v.SetCost(u.cost)
	}
	return v
}
