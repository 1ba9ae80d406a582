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
	listed                 bool // the record has a message list
	set, rewind, id, typ   span
}

func (h *header) read(s *jsontext.Scanner) {
	s.Object(func(key []byte) {
		switch string(key) {
		case "sessionId":
			h.session = s.String()
		case "kind":
			h.kind = s.String()
		case "summary":
			h.summary = s.String()
		case "startTime":
			h.start = s.String()
		case "lastUpdated":
			h.updated = s.String()
		case "id":
			h.id = s.String()
		case "type":
			h.typ = s.String()
		case "$rewindTo":
			h.rewind = s.String()
		case "$set":
			start := s.Pos()
			h.read(s)
			h.set = span{Start: start, End: s.Pos()}
		case "messages":
			h.listed = s.Peek() == '['
			s.Array(func() {
				if one := s.Skip(); s.Err == nil {
					h.messages = append(h.messages, one)
				}
			})
		}
	})
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
	result             bool  // a result; of is the id of its call
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

func (r *record) parse(row lines.Row) bool {
	*r = record{}
	s := jsontext.New(row.Data)
	if s.Peek() != '{' {
		return false
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "id":
			r.id = s.String()
		case "timestamp":
			r.time = s.String()
		case "type":
			r.typ = s.String()
		case "model":
			r.model = s.String()
		case "content":
			r.parts = content(s)
		case "thoughts":
			s.Array(func() { r.thought(s) })
		case "toolCalls":
			s.Array(func() { r.calls = append(r.calls, toolCall(s)) })
		case "tokens":
			r.tokens.read(s)
		}
	})
	return s.End()
}

func (r *record) thought(s *jsontext.Scanner) {
	var subject, description span
	s.Object(func(key []byte) {
		switch string(key) {
		case "subject":
			subject = s.String()
		case "description":
			description = s.String()
		}
	})
	r.thoughts = append(r.thoughts, subject, description)
}

func toolCall(s *jsontext.Scanner) call {
	var c call
	s.Object(func(key []byte) {
		switch string(key) {
		case "id":
			c.id = s.String()
		case "name":
			c.name = s.String()
		case "args":
			c.args = s.Skip()
		case "status":
			c.status = s.String()
		case "timestamp":
			c.time = s.String()
		case "result":
			c.answered = s.Peek() != 'n'
			c.result = content(s)
		}
	})
	c.result = c.own(s.Buf)
	return c
}

// own returns the parts of a result that belong to this call. After a history
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
func content(s *jsontext.Scanner) []part {
	var parts []part
	switch s.Peek() {
	case '"':
		parts = append(parts, part{text: s.String()})
	case '[':
		s.Array(func() { parts = append(parts, onePart(s)) })
	case '{':
		parts = append(parts, onePart(s))
	default:
		s.Skip()
	}
	return parts
}

func onePart(s *jsontext.Scanner) part {
	start := s.Pos()
	var p part
	if s.Peek() == '"' {
		p.text = s.String()
	} else {
		s.Object(func(key []byte) {
			switch string(key) {
			case "text":
				p.text = s.String()
			case "inlineData", "fileData":
				p.data(s)
			case "functionResponse":
				p.response(s)
			case "functionCall":
				if s.Peek() == '{' {
					c := toolCall(s)
					p.call = &c
				}
			}
		})
	}
	p.whole = span{Start: start, End: s.Pos()}
	return p
}

func (p *part) data(s *jsontext.Scanner) {
	p.file = true
	s.Object(func(key []byte) {
		switch string(key) {
		case "mimeType":
			p.media = s.String()
		case "data", "fileUri":
			p.text = s.String()
		}
	})
}

// response reads the output of a tool: its output or error text, or the whole
// response.
func (p *part) response(s *jsontext.Scanner) {
	p.result = true
	s.Object(func(key []byte) {
		switch string(key) {
		case "id":
			p.of = s.String()
			return
		case "name":
			p.tool = s.String()
			return
		case "response":
		default:
			return
		}
		start := s.Pos()
		s.Object(func(key []byte) {
			if name := string(key); (name == "output" || name == "error") && s.Peek() == '"' {
				p.text = s.String()
			}
		})
		if p.text.Absent() {
			p.text = span{Start: start, End: s.Pos()}
		}
	})
}

func (t *tokens) read(s *jsontext.Scanner) {
	s.Object(func(key []byte) {
		switch string(key) {
		case "input":
			t.input, t.has = s.Int()
		case "output":
			t.output, _ = s.Int()
		case "cached":
			t.cached, t.hasCached = s.Int()
		case "thoughts":
			t.thoughts, t.hasThoughts = s.Int()
		case "tool":
			t.tool, _ = s.Int()
		}
	})
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
