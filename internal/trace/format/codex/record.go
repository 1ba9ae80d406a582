package codex

import (
	"strconv"

	"agentlens/internal/jsontext"
)

// A span is the position of a value in the current line.
type span = jsontext.Span

// A record holds the spans of one line. It is reused for every line.
type record struct {
	*tables
	typ, time           span
	enveloped, hasState bool
	ordinal             int64
	hasOrdinal          bool
	payload
}

// A payload holds the members of every record type.
type payload struct {
	kind, role, id, name, namespace, callID span
	status, execution, model, turnID        span
	effort, approval, sandbox, cwd, version span
	branch, response, compaction            span // git branch; ids of the response and of the one that compacted
	message, title, encrypted, revised      span
	forked, source, nickname                span
	args                                    span // arguments, input or action
	tools                                   span
	text                                    span // output or content that is a single string
	parts                                   []part
	instructions                            span // base instructions
	history                                 span // replacement history
	total, last, usage                      counts
	start                                   int64 // ordinal of the first own record of a sub-agent
	hasStart                                bool
	window                                  int64 // context window of the model, in tokens
	turns                                   int64
	exit                                    int64
	failed                                  bool // success is false, or the result is an error
}

// A part is one piece of content, output or reasoning.
type part struct {
	kind, text, whole span
}

// counts holds recorded token counts. has reports whether the record contains counts.
type counts struct {
	input, cached, write, output, reasoning, total int64
	has, hasCached, hasWrite, hasReasoning         bool
}

// tables hold the decoders that fill the record of.
type tables struct {
	of    *record
	inner *jsontext.Table
	part  *jsontext.Decoder[part]
}

// bind creates the tables that decode into r.
func (r *record) bind() {
	p := &r.payload
	failure := func(s *jsontext.Scanner) { p.failed = p.failed || s.Peek() == 'f' && !s.Bool() }
	args := jsontext.Any{At: &p.args}
	first := jsontext.Fields{"content": jsontext.Either{Text: &p.text}, "success": failure} // in the first versions
	content := jsontext.Either{Text: &p.text, Members: first, Each: r.addPart}
	f := &tables{of: r}
	f.inner = jsontext.NewTable(jsontext.Fields{
		"type": &p.kind, "role": &p.role, "id": &p.id, "name": &p.name, "namespace": &p.namespace, "call_id": &p.callID,
		"status": &p.status, "execution": &p.execution, "model": &p.model, "effort": &p.effort, "turn_id": &p.turnID,
		"approval_policy": &p.approval, "sandbox_policy": jsontext.Any{At: &p.sandbox}, "cwd": &p.cwd, "cli_version": &p.version,
		"git": jsontext.Fields{"branch": &p.branch}, "response_id": &p.response, "compaction_response_id": &p.compaction,
		"usage": p.usage.fields(), "subagent_history_start_ordinal": func(s *jsontext.Scanner) { p.start, p.hasStart = ordinal(s) },
		"message": &p.message, "thread_name": &p.title, "encrypted_content": &p.encrypted, "revised_prompt": &p.revised,
		"forked_from_id": &p.forked, "agent_nickname": &p.nickname,
		"arguments": args, "input": args, "action": args, "tools": jsontext.Any{At: &p.tools},
		"source": jsontext.Any{At: &p.source}, "replacement_history": jsontext.Any{At: &p.history},
		"content": content, "output": content,
		"summary":              jsontext.Either{Members: first, Each: r.addPart}, // the summary of reasoning; a string is a setting and is ignored
		"base_instructions":    jsontext.Either{Text: &p.instructions, Members: jsontext.Fields{"text": &p.instructions}},
		"info":                 jsontext.Fields{"total_token_usage": p.total.fields(), "last_token_usage": p.last.fields(), "model_context_window": &p.window},
		"model_context_window": &p.window, "num_turns": &p.turns, "exit_code": &p.exit, "success": failure,
		"result": jsontext.Fields{"Err": func(*jsontext.Scanner) { p.failed = true }},
	})
	f.part = jsontext.NewDecoder(func(p *part) jsontext.Fields {
		return jsontext.Fields{"type": &p.kind, "text": &p.text, "image_url": &p.text, "file_data": &p.text, "encrypted_content": &p.text}
	})
	r.tables = f
}

func (c *counts) fields() jsontext.Fields {
	return jsontext.Fields{
		"input_tokens": jsontext.Int{N: &c.input, Has: &c.has}, "cached_input_tokens": jsontext.Int{N: &c.cached, Has: &c.hasCached},
		"cache_write_input_tokens": jsontext.Int{N: &c.write, Has: &c.hasWrite}, "output_tokens": &c.output,
		"reasoning_output_tokens": jsontext.Int{N: &c.reasoning, Has: &c.hasReasoning}, "total_tokens": &c.total,
	}
}

// reset empties the record.
func (r *record) reset() {
	if r.tables == nil || r.of != r {
		r.bind()
	}
	*r = record{tables: r.tables, payload: payload{parts: r.parts[:0]}}
}

// parse decodes a line. It reports whether the line is a complete JSON object.
func (r *record) parse(s *jsontext.Scanner, line []byte) bool {
	r.reset()
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
		case "ordinal":
			r.ordinal, r.hasOrdinal = ordinal(s)
		case "record_type":
			r.hasState = true
		case "payload":
			r.enveloped = s.Peek() == '{'
			r.inner.Read(s)
		default:
			if !r.enveloped {
				r.inner.Member(s, key)
			}
		}
	})
	if !r.enveloped {
		r.kind = r.typ
	}
	return s.End()
}

// ordinal reads the number of a record, which some versions write as a string.
func ordinal(s *jsontext.Scanner) (n int64, ok bool) {
	if s.Peek() != '"' {
		n, ok = s.Int()
		return n, ok && n >= 0
	}
	n, err := strconv.ParseInt(s.Text(), 10, 64)
	return n, err == nil && n >= 0
}

// addPart reads one piece of content.
func (r *record) addPart(s *jsontext.Scanner) {
	start := s.Pos()
	var p part
	if s.Peek() == '"' {
		p.text = s.String()
	} else {
		p = r.part.Read(s)
	}
	p.whole = span{Start: start, End: s.Pos()}
	r.parts = append(r.parts, p)
}
