package codex

import "agentlens/internal/jsontext"

// A span is the position of a value in the current line.
type span = jsontext.Span

// A record holds the spans of one line. It is reused for every line.
type record struct {
	typ, time           span
	enveloped, hasState bool
	payload
}

// A payload holds the members of every record type.
type payload struct {
	kind, role, id, name, namespace, callID span
	status, execution, model, turnID        span
	effort                                  span
	message, title, encrypted, revised      span
	forked, source, nickname                span
	args                                    span // arguments, input or action
	tools                                   span
	text                                    span // output or content that is a single string
	parts                                   []part
	instructions                            span // base instructions
	history                                 span // replacement history
	total, last                             counts
	window                                  int64 // context window of the model, in tokens
	turns                                   int64
	exit                                    int64
	failed                                  bool // success is false, or the result is an error
}

// A part is one piece of content, output or reasoning.
type part struct {
	kind, text, whole span
}

// counts holds recorded token counts. has reports whether they are present.
type counts struct {
	input, cached, write, output, reasoning, total int64
	has, hasCached, hasWrite, hasReasoning         bool
}

// parse decodes a line. It reports whether the line is a complete JSON object.
func (r *record) parse(s *jsontext.Scanner, line []byte) bool {
	*r = record{payload: payload{parts: r.parts[:0]}}
	s.Reset(line)
	if s.Peek() != '{' {
		return false
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "type":
			r.typ = s.String()
		case "timestamp":
			r.time = s.String()
		case "record_type":
			r.hasState = true
		case "payload":
			r.enveloped = s.Peek() == '{'
			s.Object(func(key []byte) { r.payload.member(s, key) })
		default:
			if !r.enveloped {
				r.payload.member(s, key)
			}
		}
	})
	if !r.enveloped {
		r.kind = r.typ
	}
	return s.End()
}

// strings returns the field for a member that is a short string, or nil.
func (p *payload) strings(key string) *span {
	switch key {
	case "type":
		return &p.kind
	case "role":
		return &p.role
	case "id":
		return &p.id
	case "name":
		return &p.name
	case "namespace":
		return &p.namespace
	case "call_id":
		return &p.callID
	case "status":
		return &p.status
	case "execution":
		return &p.execution
	case "model":
		return &p.model
	case "effort":
		return &p.effort
	case "turn_id":
		return &p.turnID
	case "message":
		return &p.message
	case "thread_name":
		return &p.title
	case "encrypted_content":
		return &p.encrypted
	case "revised_prompt":
		return &p.revised
	case "forked_from_id":
		return &p.forked
	case "agent_nickname":
		return &p.nickname
	}
	return nil
}

func (p *payload) member(s *jsontext.Scanner, key []byte) {
	name := string(key)
	if at := p.strings(name); at != nil {
		*at = s.String()
		return
	}
	switch name {
	case "arguments", "input", "action":
		p.args = s.Skip()
	case "tools":
		p.tools = s.Skip()
	case "source":
		p.source = s.Skip()
	case "replacement_history":
		p.history = s.Skip()
	case "content", "output":
		p.content(s, false)
	case "summary":
		p.content(s, true)
	case "base_instructions":
		if s.Peek() == '"' {
			p.instructions = s.String()
			return
		}
		s.Object(func(key []byte) {
			if string(key) == "text" {
				p.instructions = s.String()
			}
		})
	case "info":
		s.Object(func(key []byte) {
			switch string(key) {
			case "total_token_usage":
				p.total.read(s)
			case "last_token_usage":
				p.last.read(s)
			case "model_context_window":
				p.window, _ = s.Int()
			}
		})
	case "model_context_window":
		p.window, _ = s.Int()
	case "num_turns":
		p.turns, _ = s.Int()
	case "exit_code":
		p.exit, _ = s.Int()
	case "success":
		p.failed = p.failed || s.Peek() == 'f' && !s.Bool()
	case "result":
		s.Object(func(key []byte) { p.failed = p.failed || string(key) == "Err" })
	}
}

// content reads a string, a list of parts, or the {content} object of the first
// versions. A reasoning summary is a list. A summary that is a string is a setting.
func (p *payload) content(s *jsontext.Scanner, summary bool) {
	switch s.Peek() {
	case '"':
		text := s.String()
		if !summary {
			p.text = text
		}
	case '[':
		s.Array(func() { p.part(s) })
	case '{':
		s.Object(func(key []byte) {
			switch string(key) {
			case "content":
				if s.Peek() == '"' {
					p.text = s.String()
				}
			case "success":
				p.failed = p.failed || s.Peek() == 'f' && !s.Bool()
			}
		})
	default:
		s.Skip()
	}
}

func (p *payload) part(s *jsontext.Scanner) {
	start := s.Pos()
	var one part
	if s.Peek() == '"' {
		one.text = s.String()
	} else {
		s.Object(func(key []byte) {
			switch string(key) {
			case "type":
				one.kind = s.String()
			case "text", "image_url", "file_data", "encrypted_content":
				one.text = s.String()
			}
		})
	}
	one.whole = span{Start: start, End: s.Pos()}
	p.parts = append(p.parts, one)
}

func (c *counts) read(s *jsontext.Scanner) {
	s.Object(func(key []byte) {
		switch string(key) {
		case "input_tokens":
			c.input, c.has = s.Int()
		case "cached_input_tokens":
			c.cached, c.hasCached = s.Int()
		case "cache_write_input_tokens":
			c.write, c.hasWrite = s.Int()
		case "output_tokens":
			c.output, _ = s.Int()
		case "reasoning_output_tokens":
			c.reasoning, c.hasReasoning = s.Int()
		case "total_tokens":
			c.total, _ = s.Int()
		}
	})
}
