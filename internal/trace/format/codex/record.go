package codex

import "agentlens/internal/jsontext"

// A span is where a value stands in the line at hand.
type span = jsontext.Span

// A record is one line by position. It is reused from line to line.
type record struct {
	typ, time           span
	enveloped, hasState bool
	payload
}

// A payload holds the members that any kind of record has, whichever its kind.
type payload struct {
	kind, role, id, name, namespace, callID span
	status, execution, model, turnID        span
	effort                                  span
	message, title, encrypted, revised      span
	forked, source, nickname                span
	args                                    span // arguments, input or action
	tools                                   span
	text                                    span // an output or a content that is one string
	parts                                   []part
	instructions                            span // base instructions
	history                                 span // replacement history
	total, last                             counts
	window                                  int64 // of the model, in tokens
	turns                                   int64
	exit                                    int64
	failed                                  bool // success: false, or an error result
}

// A part is one piece of content, output or reasoning.
type part struct {
	kind, text, whole span
}

// counts are token counts as recorded; has says that they are there.
type counts struct {
	input, cached, write, output, reasoning, total int64
	has, hasCached, hasWrite, hasReasoning         bool
}

// parse reads one line; it reports whether the line is a whole JSON object.
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

// strings lists the members that are short strings.
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

// content reads a text, a list of parts, or the {content} object of the first
// versions. A summary of reasoning is a list; one that is a text is a setting.
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
