package claudecode

import (
	"bytes"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
)

// A prompt is what recent versions record of the requests of a thread besides its messages: the system prompt and the
// tools, before the first reply and again when they may have changed.
type prompt struct {
	system  model.Message
	tools   []model.ToolDef
	sum     uint64 // of the texts of the newest snapshot
	toolSum uint64
}

// snapshot adds the system prompt and the tools of the current record to a thread. A snapshot after the first reply says
// nothing about earlier requests: it adds a marker if it differs from the one before.
func (rd *reader) snapshot(whole model.Ref, thread int32) {
	x, r := rd.x, rd.r
	a := &r.attach
	if len(a.system) == 0 || x.agents[thread].replied && x.prompts[thread] == nil {
		return
	}
	p := x.prompts[thread]
	if p == nil {
		if x.prompts == nil {
			x.prompts = map[int32]*prompt{}
		}
		p = &prompt{}
		x.prompts[thread] = p
	}
	sum, toolSum := uint64(0), p.toolSum
	for _, text := range a.system {
		sum = sum*31 + x.hash(r.line, text)
	}
	if a.tools.Len() > 2 {
		toolSum = x.hash(r.line, a.tools)
	}
	changed := p.sum != sum || p.toolSum != 0 && p.toolSum != toolSum
	p.sum, p.toolSum = sum, toolSum
	switch {
	case !x.agents[thread].replied:
		p.system = rd.systemPrompt(whole)
		if a.tools.Len() > 2 {
			p.tools = rd.tools(whole)
		}
	case changed:
		x.marks = append(x.marks, mark{
			kind: model.ContextEdit, rec: -1, unit: int32(x.units.Len()), thread: thread, at: rd.at(), origin: whole,
			detail: []model.Detail{{Key: "what", Value: "the system prompt or the tools changed"}},
		})
	}
}

// systemPrompt returns the system prompt of the current record as a message.
func (rd *reader) systemPrompt(whole model.Ref) model.Message {
	x, r := rd.x, rd.r
	m := model.Message{Role: model.System, ID: x.text(r.line, r.uuid), At: rd.at(), Origin: x.origins.Add(nil, whole)}
	for _, text := range r.attach.system {
		m.Parts = x.parts.Add(m.Parts, model.Part{Kind: model.Text, Body: rd.ref(text, whole, model.JSONString)})
	}
	return m
}

// tools returns the tools of the current record. The schema of a tool is its definition in a request.
func (rd *reader) tools(whole model.Ref) (list []model.ToolDef) {
	x, r := rd.x, rd.r
	from := r.attach.tools.Start
	s := jsontext.New(r.line[from:r.attach.tools.End])
	in := func(span jsontext.Span) jsontext.Span {
		return jsontext.Span{Start: from + span.Start, End: from + span.End}
	}
	s.Array(func() {
		var name, schema jsontext.Span
		all := jsontext.Span{Start: s.Pos()}
		s.Object(func(key []byte) {
			switch string(key) {
			case "name":
				name = s.String()
			case "schema":
				schema = s.Skip()
			default:
				s.Skip()
			}
		})
		all.End = s.Pos()
		if name.Len() <= 2 {
			return
		}
		if bytes.Contains(s.Buf[schema.Start:schema.End], []byte(`"input_schema"`)) {
			all = schema
		}
		list = append(list, model.ToolDef{Name: x.name(r.line, in(name)), Body: rd.ref(in(all), whole, model.JSONValue)})
	})
	return list
}
