package geminicli

import (
	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/lines"
)

// A span is the position of a value in the current row.
type span = jsontext.Span

// A header holds the chat members of a document, a first line or a `$set`.
type header struct {
	session, kind, summary span
	start, updated         span
	messages               []span
	listed                 bool // listed is set if the record has a message list
	set, rewind, id, typ   span
}

func (h *header) fields() jsontext.Fields {
	fields := jsontext.Fields{
		"sessionId": &h.session, "kind": &h.kind, "summary": &h.summary, "startTime": &h.start, "lastUpdated": &h.updated,
		"id": &h.id, "type": &h.typ, "$rewindTo": &h.rewind,
		"messages": func(s *jsontext.Scanner) {
			h.listed = s.Peek() == '['
			s.Array(func() {
				if one := s.Skip(); s.Err == nil {
					h.messages = append(h.messages, one)
				}
			})
		},
	}
	members := jsontext.NewTable(fields)
	fields["$set"] = func(s *jsontext.Scanner) {
		start := s.Pos()
		members.Read(s)
		h.set = span{Start: start, End: s.Pos()}
	}
	return fields
}

// A record holds the positions of one message's members.
type record struct {
	id, time, typ, model span
	parts                []part
	thoughts             []span
	calls                []call
	tokens               tokens
}

// A part is one piece of content: a text, a file, a call or a result.
type part struct {
	text, media, whole span
	file               bool
	call               *call // a call recorded as content
	result             bool  // the part is a result; of is the id of its call
	of, tool           span
}

// A call is one tool call and its result.
type call struct {
	id, name, args, status, time span
	result                       []part
	answered                     bool
}

type tokens struct {
	input, output, cached, thoughts, tool int64
	has, hasCached, hasThoughts           bool
}

func (t tokens) none() bool { return t.input+t.output+t.cached+t.thoughts+t.tool == 0 }

// decoders read the values of a row.
type decoders struct {
	headers *jsontext.Decoder[header]
	records *jsontext.Decoder[record]
	calls   *jsontext.Decoder[call]
	parts   *jsontext.Decoder[part]
}

func newDecoders() *decoders {
	d := &decoders{headers: jsontext.NewDecoder((*header).fields)}
	d.records = jsontext.NewDecoder(func(r *record) jsontext.Fields {
		type thought struct{ subject, description span }
		thoughts := jsontext.NewDecoder(func(t *thought) jsontext.Fields {
			return jsontext.Fields{"subject": &t.subject, "description": &t.description}
		})
		addThought := func(s *jsontext.Scanner) {
			t := thoughts.Read(s)
			r.thoughts = append(r.thoughts, t.subject, t.description)
		}
		return jsontext.Fields{
			"id": &r.id, "timestamp": &r.time, "type": &r.typ, "model": &r.model, "tokens": r.tokens.fields(),
			"content":   func(s *jsontext.Scanner) { r.parts = d.content(s) },
			"thoughts":  jsontext.Either{Each: addThought},
			"toolCalls": jsontext.Either{Each: func(s *jsontext.Scanner) { r.calls = append(r.calls, d.toolCall(s)) }},
		}
	})
	d.calls = jsontext.NewDecoder(func(c *call) jsontext.Fields {
		return jsontext.Fields{
			"id": &c.id, "name": &c.name, "args": jsontext.Any{At: &c.args}, "status": &c.status, "timestamp": &c.time,
			"result": func(s *jsontext.Scanner) {
				c.answered = s.Peek() != 'n'
				c.result = d.content(s)
			},
		}
	})
	d.parts = jsontext.NewDecoder(func(p *part) jsontext.Fields {
		data := jsontext.NewTable(jsontext.Fields{"mimeType": &p.media, "data": &p.text, "fileUri": &p.text})
		response := jsontext.NewTable(p.response())
		file := func(s *jsontext.Scanner) { p.file = true; data.Read(s) }
		return jsontext.Fields{
			"text": &p.text, "inlineData": file, "fileData": file,
			"functionResponse": func(s *jsontext.Scanner) { p.result = true; response.Read(s) },
			"functionCall": func(s *jsontext.Scanner) {
				if s.Peek() == '{' {
					c := d.toolCall(s)
					p.call = &c
				}
			},
		}
	})
	return d
}

// parse reads a message. It reports whether the row is a complete JSON object.
func (d *decoders) parse(row lines.Row) (r record, whole bool) {
	s := jsontext.New(row.Data)
	if s.Peek() != '{' {
		return record{}, false
	}
	r = d.records.Read(s)
	return r, s.End()
}

func (d *decoders) toolCall(s *jsontext.Scanner) call {
	c := d.calls.Read(s)
	c.result = c.own(s.Buf)
	return c
}

// own returns the parts of the result that belong to this call. After a history
// change the program stores the results of all calls of a reply in each call.
func (c *call) own(buf []byte) []part {
	var own []part
	for _, p := range c.result {
		if p.result && p.of.Len() > 2 && jsontext.Unquote(buf, p.of) == jsontext.Unquote(buf, c.id) {
			own = append(own, p)
		}
	}
	if len(own) == 0 {
		return c.result
	}
	return own
}

// content reads a text, a part or a list of parts.
func (d *decoders) content(s *jsontext.Scanner) []part {
	var parts []part
	switch s.Peek() {
	case '"', '{':
		parts = append(parts, d.part(s))
	case '[':
		s.Array(func() { parts = append(parts, d.part(s)) })
	default:
		s.Skip()
	}
	return parts
}

func (d *decoders) part(s *jsontext.Scanner) part {
	start := s.Pos()
	if s.Peek() == '"' {
		return part{text: s.String()}
	}
	p := d.parts.Read(s)
	p.whole = span{Start: start, End: s.Pos()}
	return p
}

// response returns the fields that decode a tool's output into p: its output or
// error text, or the whole response.
func (p *part) response() jsontext.Fields {
	text := func(s *jsontext.Scanner) {
		if s.Peek() == '"' {
			p.text = s.String()
		}
	}
	output := jsontext.NewTable(jsontext.Fields{"output": text, "error": text})
	return jsontext.Fields{"id": &p.of, "name": &p.tool, "response": func(s *jsontext.Scanner) {
		start := s.Pos()
		output.Read(s)
		if p.text.Absent() {
			p.text = span{Start: start, End: s.Pos()}
		}
	}}
}

func (t *tokens) fields() jsontext.Fields {
	return jsontext.Fields{
		"input": jsontext.Int{N: &t.input, Has: &t.has}, "output": &t.output, "cached": jsontext.Int{N: &t.cached, Has: &t.hasCached},
		"thoughts": jsontext.Int{N: &t.thoughts, Has: &t.hasThoughts}, "tool": &t.tool,
	}
}

// usage converts tokens to the normal form. The input includes cached tokens, the
// output excludes thinking, and tool prompts count as input.
func (t tokens) usage() model.Usage {
	var u model.Usage
	if !t.has {
		return u
	}
	input := t.input
	if input >= t.cached {
		input -= t.cached
	}
	u.Set(model.UsageInput, input+t.tool)
	u.Set(model.UsageOutput, t.output+t.thoughts)
	if t.hasCached {
		u.Set(model.UsageCacheRead, t.cached)
	}
	if t.hasThoughts {
		u.Set(model.UsageReasoning, t.thoughts)
	}
	return u
}
