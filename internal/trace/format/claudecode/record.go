package claudecode

import (
	"bytes"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// A record holds the spans of one line. It is reused for every line.
type record struct {
	line   []byte // without surrounding white space
	indent int    // number of bytes before line in the file's line
	whole  bool   // it is a complete JSON object

	typ, subtype                  string
	uuid, parent, logical         jsontext.Span
	session, agent, request, time jsontext.Span
	sidechain, meta, summary      bool
	apiError                      bool
	attempt, attempts             int64

	hasMessage      bool
	id, model, role jsontext.Span
	content         jsontext.Span // string content
	blocks          []block
	usage           usage
	edits           jsontext.Span // context_management
	attach          attachment
	compact         compactMeta
	micro           microMeta
	refused         refusal
	title, leaf     jsontext.Span
	resultAgent     jsontext.Span // toolUseResult.agentId
}

// A block is a content block. The inner blocks of a tool result follow it and have
// inner set.
type block struct {
	typ, text, id, name, input, media jsontext.Span
	whole                             jsontext.Span
	isError, inner, sealed            bool
}

type usage struct {
	input, output, read, write, thinking int64
	known                                bool
	hasInput, hasThinking, hasRead       bool
	hasWrite                             bool
}

type attachment struct{ typ, text jsontext.Span }

type compactMeta struct {
	trigger          jsontext.Span
	pre, post        int64
	preserved        []jsontext.Span
	head, tail       jsontext.Span
	hasPost, hasMeta bool
}

type microMeta struct {
	trigger    jsontext.Span
	pre, saved int64
	tools      []jsontext.Span
	has        bool
}

// A refusal describes why another model took over.
type refusal struct {
	from, to, category jsontext.Span
	retracted          int64 // number of retracted messages
}

// detail returns the marker details of a refusal.
func (f *refusal) detail(line []byte) []model.Detail {
	list := []model.Detail{{Key: "what", Value: "the model refused: another answers"}}
	for _, d := range []struct {
		key  string
		span jsontext.Span
	}{{"from", f.from}, {"to", f.to}, {"category", f.category}} {
		if text := jsontext.Unquote(line, d.span); text != "" {
			list = append(list, model.Detail{Key: d.key, Value: text})
		}
	}
	if f.retracted > 0 {
		list = append(list, model.Detail{Key: "retracted", Value: f.retracted})
	}
	return list
}

// parse decodes one line.
func (r *record) parse(l source.Line) {
	blocks, preserved, tools := r.blocks[:0], r.compact.preserved[:0], r.micro.tools[:0]
	*r = record{blocks: blocks}
	r.compact.preserved, r.micro.tools = preserved, tools
	line := l.Data
	if l.Off == 0 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	line = bytes.TrimLeft(line, jsontext.Space)
	r.indent = len(l.Data) - len(line)
	r.line = bytes.TrimRight(line, jsontext.Space)
	s := jsontext.New(r.line)
	if s.Peek() != '{' {
		return
	}
	s.Object(func(key []byte) { r.member(s, key) })
	r.whole = s.End()
}

// place returns the field for a member that is kept as a span, or nil for other
// members.
func (r *record) place(key []byte) *jsontext.Span {
	switch string(key) {
	case "uuid":
		return &r.uuid
	case "parentUuid":
		return &r.parent
	case "logicalParentUuid":
		return &r.logical
	case "sessionId":
		return &r.session
	case "agentId":
		return &r.agent
	case "requestId":
		return &r.request
	case "timestamp":
		return &r.time
	case "originalModel":
		return &r.refused.from
	case "fallbackModel":
		return &r.refused.to
	case "apiRefusalCategory":
		return &r.refused.category
	case "summary", "aiTitle", "customTitle":
		return &r.title
	case "leafUuid":
		return &r.leaf
	}
	return nil
}

func (r *record) member(s *jsontext.Scanner, key []byte) {
	if place := r.place(key); place != nil {
		*place = s.String()
		return
	}
	switch string(key) {
	case "type":
		r.typ = intern(r.line, s.String())
	case "subtype":
		r.subtype = intern(r.line, s.String())
	case "isSidechain":
		r.sidechain = s.Bool()
	case "isMeta":
		r.meta = s.Bool()
	case "isCompactSummary":
		r.summary = s.Bool()
	case "isApiErrorMessage":
		r.apiError = s.Bool()
	case "message":
		r.hasMessage = s.Peek() == '{'
		s.Object(func(key []byte) { r.message(s, key) })
	case "attachment":
		s.Object(func(key []byte) { r.attachment(s, key) })
	case "compactMetadata":
		r.compact.hasMeta = true
		s.Object(func(key []byte) { r.compactMeta(s, key) })
	case "microcompactMetadata":
		r.micro.has = true
		s.Object(func(key []byte) { r.microMeta(s, key) })
	case "toolUseResult":
		s.Object(func(key []byte) {
			if string(key) == "agentId" {
				r.resultAgent = s.String()
			}
		})
	case "retryAttempt":
		r.attempt, _ = s.Int()
	case "maxRetries":
		r.attempts, _ = s.Int()
	case "retractedMessageUuids":
		s.Array(func() { r.refused.retracted++; s.Skip() })
	}
}

func (r *record) message(s *jsontext.Scanner, key []byte) {
	switch string(key) {
	case "id":
		r.id = s.String()
	case "model":
		r.model = s.String()
	case "role":
		r.role = s.String()
	case "content":
		if s.Peek() == '"' {
			r.content = s.String()
			return
		}
		s.Array(func() { r.block(s, false) })
	case "usage":
		r.usage.known = s.Peek() == '{'
		s.Object(func(key []byte) { r.usage.member(s, key) })
	case "context_management":
		r.edits = s.Skip()
	}
}

// block decodes a content block and the blocks inside a tool result.
func (r *record) block(s *jsontext.Scanner, inner bool) {
	at := len(r.blocks)
	r.blocks = append(r.blocks, block{inner: inner})
	start := s.Pos()
	if s.Peek() == '"' { // a bare string among blocks
		r.blocks[at].text = s.String()
		r.blocks[at].whole = jsontext.Span{Start: start, End: s.Pos()}
		return
	}
	s.Object(func(key []byte) {
		b := &r.blocks[at]
		switch string(key) {
		case "type":
			b.typ = s.String()
		case "text", "thinking":
			b.text = s.String()
		case "data":
			b.text, b.sealed = s.String(), true
		case "id":
			b.id = s.String()
		case "tool_use_id":
			b.id = s.String()
		case "name":
			b.name = s.String()
		case "input":
			b.input = s.Skip()
		case "is_error":
			b.isError = s.Bool()
		case "source":
			s.Object(func(key []byte) {
				switch string(key) {
				case "media_type":
					r.blocks[at].media = s.String()
				case "data", "url":
					r.blocks[at].text = s.String()
				}
			})
		case "content":
			if s.Peek() == '"' {
				b.text = s.String()
				return
			}
			if !inner {
				s.Array(func() { r.block(s, true) })
			}
		}
	})
	r.blocks[at].whole = jsontext.Span{Start: start, End: s.Pos()}
}

func (u *usage) member(s *jsontext.Scanner, key []byte) {
	switch string(key) {
	case "input_tokens":
		u.input, u.hasInput = s.Int()
	case "output_tokens":
		u.output, _ = s.Int()
	case "cache_read_input_tokens":
		u.read, u.hasRead = s.Int()
	case "cache_creation_input_tokens":
		u.write, u.hasWrite = s.Int()
	case "output_tokens_details":
		s.Object(func(key []byte) {
			if string(key) == "thinking_tokens" {
				u.thinking, u.hasThinking = s.Int()
			}
		})
	}
}

// sentText lists the attachment types that the model receives and the member with their
// text. Other types are internal to Claude Code.
var sentText = map[string]string{
	"queued_command":          "prompt",
	"edited_text_file":        "snippet",
	"nested_memory":           "content",
	"file":                    "content",
	"skill_listing":           "content",
	"hook_additional_context": "content",
	"total_tokens_reminder":   "text",
	"batching_reminder_sent":  "text",
	"silent_turn_reminder":    "text",
}

func (r *record) attachment(s *jsontext.Scanner, key []byte) {
	switch string(key) {
	case "type":
		r.attach.typ = s.String()
	case "prompt", "snippet", "text", "content":
		text := r.deepText(s)
		if r.attach.text.Absent() {
			r.attach.text = text
		}
	}
}

// deepText returns the next value if it is a string. Otherwise it returns the string of
// a nested "content" member.
func (r *record) deepText(s *jsontext.Scanner) jsontext.Span {
	if s.Peek() == '"' {
		return s.String()
	}
	var found jsontext.Span
	s.Object(func(key []byte) {
		if name := string(key); name == "content" || name == "file" {
			if text := r.deepText(s); !text.Absent() {
				found = text
			}
		}
	})
	return found
}

func (r *record) compactMeta(s *jsontext.Scanner, key []byte) {
	c := &r.compact
	switch string(key) {
	case "trigger":
		c.trigger = s.String()
	case "preTokens":
		c.pre, _ = s.Int()
	case "postTokens":
		c.post, c.hasPost = s.Int()
	case "preservedSegment":
		s.Object(func(key []byte) {
			switch string(key) {
			case "headUuid":
				c.head = s.String()
			case "tailUuid":
				c.tail = s.String()
			}
		})
	case "preservedMessages":
		s.Object(func(key []byte) {
			if string(key) == "uuids" {
				s.Array(func() { c.preserved = append(c.preserved, s.String()) })
			}
		})
	}
}

func (r *record) microMeta(s *jsontext.Scanner, key []byte) {
	switch string(key) {
	case "trigger":
		r.micro.trigger = s.String()
	case "preTokens":
		r.micro.pre, _ = s.Int()
	case "tokensSaved":
		r.micro.saved, _ = s.Int()
	case "compactedToolIds":
		s.Array(func() { r.micro.tools = append(r.micro.tools, s.String()) })
	}
}

// intern returns common names without allocation.
func intern(line []byte, span jsontext.Span) string {
	if span.Len() < 2 {
		return ""
	}
	switch name := line[span.Start+1 : span.End-1]; string(name) {
	case "user":
		return "user"
	case "assistant":
		return "assistant"
	case "system":
		return "system"
	case "progress":
		return "progress"
	case "attachment":
		return "attachment"
	}
	return jsontext.Unquote(line, span)
}
