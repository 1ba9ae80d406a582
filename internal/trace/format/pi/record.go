package pi

import (
	"strconv"

	"agentlens/internal/jsontext"
)

// A span is the position of a value in the current line.
type span = jsontext.Span

// A record holds the positions of one line's members: an entry and its message. If
// both have a member, the message's value wins.
type record struct {
	typ, id, parent, time     span
	hasID, hasParent, hasKept bool

	role, callID, tool, model      span
	stop, failure, command, output span
	summary, name, modelID, kept   span
	effort                         span
	text                           span // set if the content is one string
	blocks                         []block
	usage                          usage
	keptIndex, before, millis      int64
	isError, excluded, hasMessage  bool
	hasBefore                      bool
}

// A block is one piece of content.
type block struct {
	typ, text, id, name, args, media, sign, whole span
	redacted                                      bool
}

type usage struct {
	input, output, read, write, reasoning                         int64
	cost                                                          float64
	hasInput, hasOutput, hasRead, hasWrite, hasReasoning, hasCost bool
}

// parse reads one line and reports whether it is a complete JSON object.
func (r *record) parse(s *jsontext.Scanner, line []byte) bool {
	*r = record{blocks: r.blocks[:0], keptIndex: -1}
	s.Reset(line)
	if s.Peek() != '{' {
		return false
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "type":
			r.typ = s.String()
		case "id":
			r.id = s.String()
			r.hasID = r.id.Len() > 2
		case "parentId":
			r.hasParent = true
			r.parent = s.String()
		case "timestamp":
			r.time = s.String()
		case "message":
			r.hasMessage = s.Peek() == '{'
			s.Object(func(key []byte) { r.member(s, string(key)) })
		default:
			r.member(s, string(key))
		}
	})
	return s.End()
}

// strings returns the field of a string member, or nil.
func (r *record) strings(key string) *span {
	switch key {
	case "role":
		return &r.role
	case "toolCallId":
		return &r.callID
	case "toolName":
		return &r.tool
	case "model":
		return &r.model
	case "thinkingLevel":
		return &r.effort
	case "modelId":
		return &r.modelID
	case "stopReason":
		return &r.stop
	case "errorMessage":
		return &r.failure
	case "command":
		return &r.command
	case "output":
		return &r.output
	case "summary":
		return &r.summary
	case "name":
		return &r.name
	case "firstKeptEntryId":
		return &r.kept
	}
	return nil
}

func (r *record) member(s *jsontext.Scanner, key string) {
	if at := r.strings(key); at != nil {
		*at = s.String()
		return
	}
	switch key {
	case "content":
		if s.Peek() == '"' {
			r.text = s.String()
			return
		}
		s.Array(func() { r.block(s) })
	case "usage":
		s.Object(func(key []byte) { r.usage.member(s, string(key)) })
	case "isError":
		r.isError = s.Bool()
	case "excludeFromContext":
		r.excluded = s.Bool()
	case "firstKeptEntryIndex":
		r.keptIndex, r.hasKept = s.Int()
	case "tokensBefore":
		r.before, r.hasBefore = s.Int()
	case "timestamp":
		r.millis, _ = s.Int()
	}
}

func (r *record) block(s *jsontext.Scanner) {
	start := s.Pos()
	var b block
	if s.Peek() == '"' {
		b.text = s.String()
	} else {
		s.Object(func(key []byte) {
			switch string(key) {
			case "type":
				b.typ = s.String()
			case "text", "thinking", "data":
				b.text = s.String()
			case "thinkingSignature":
				b.sign = s.String()
			case "redacted":
				b.redacted = s.Bool()
			case "id":
				b.id = s.String()
			case "name":
				b.name = s.String()
			case "arguments":
				b.args = s.Skip()
			case "mimeType":
				b.media = s.String()
			}
		})
	}
	b.whole = span{Start: start, End: s.Pos()}
	r.blocks = append(r.blocks, b)
}

func (u *usage) member(s *jsontext.Scanner, key string) {
	switch key {
	case "input":
		u.input, u.hasInput = s.Int()
	case "output":
		u.output, u.hasOutput = s.Int()
	case "cacheRead":
		u.read, u.hasRead = s.Int()
	case "cacheWrite":
		u.write, u.hasWrite = s.Int()
	case "reasoning":
		u.reasoning, u.hasReasoning = s.Int()
	case "cost":
		s.Object(func(key []byte) {
			if string(key) != "total" {
				return
			}
			raw := s.Skip()
			usd, err := strconv.ParseFloat(string(s.Buf[raw.Start:raw.End]), 64)
			if err == nil {
				u.cost, u.hasCost = usd, true
			}
		})
	}
}
