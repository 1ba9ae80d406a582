package cursor

import "agentlens/internal/jsontext"

// A span is the position of a value in the current line.
type span = jsontext.Span

// ended is the type of a line that ends a turn.
const ended = "turn_ended"

// A record holds the positions of one line's members. It is reused for each line.
type record struct {
	typ, role, status, failure span
	text                       span // set if the content is one string
	blocks                     []block
	hasRole, hasContent, other bool // other: has members of other programs' lines
}

// A block is one piece of content.
type block struct {
	typ, text, id, name, args, of, media, whole span
	texts                                       []span // set if the content is a list
	failed                                      bool
}

// parse reads one line and reports whether it is a complete JSON object.
func (r *record) parse(s *jsontext.Scanner, line []byte) bool {
	*r = record{blocks: r.blocks[:0]}
	s.Reset(line)
	if s.Peek() != '{' {
		return false
	}
	s.Object(func(key []byte) {
		switch string(key) {
		case "type":
			r.typ = s.String()
		case "role":
			r.role = s.String()
			role := jsontext.Unquote(line, r.role)
			r.hasRole = role == "user" || role == "assistant" || role == "system" || role == "tool"
		case "status":
			r.status = s.String()
		case "error":
			r.failure = s.String()
		case "message":
			s.Object(func(key []byte) {
				if string(key) != "content" {
					r.other = r.other || isForeign(key)
					return
				}
				r.content(s)
			})
		default:
			r.other = r.other || isForeign(key)
		}
	})
	return s.End()
}

// isForeign reports whether key belongs to the lines of other programs, which also
// have a role and a message. Other unknown keys may be new in a later version of
// Cursor.
func isForeign(key []byte) bool {
	switch string(key) {
	case "uuid", "parentUuid", "parentId", "sessionId", "payload", "data", "type", "id", "model", "usage", "stop_reason":
		return true
	}
	return false
}

func (r *record) content(s *jsontext.Scanner) {
	switch s.Peek() {
	case '"':
		r.text, r.hasContent = s.String(), true
	case '[':
		r.hasContent = true
		s.Array(func() { r.blocks = append(r.blocks, oneBlock(s)) })
	}
}

func oneBlock(s *jsontext.Scanner) block {
	start := s.Pos()
	var b block
	if s.Peek() == '"' {
		b.text = s.String()
	} else {
		s.Object(func(key []byte) {
			switch string(key) {
			case "type":
				b.typ = s.String()
			case "text", "thinking":
				b.text = s.Skip()
			case "content":
				b.content(s)
			case "id":
				b.id = s.String()
			case "name":
				b.name = s.String()
			case "input":
				b.args = s.Skip()
			case "tool_use_id":
				b.of = s.String()
			case "is_error":
				b.failed = s.Bool()
			case "source":
				b.image(s)
			}
		})
	}
	b.whole = span{Start: start, End: s.Pos()}
	return b
}

// content reads the output of a tool: a text, a list of texts or another value as a
// whole.
func (b *block) content(s *jsontext.Scanner) {
	start, all := s.Pos(), true
	s.Array(func() {
		var text span
		s.Object(func(key []byte) {
			if string(key) == "text" {
				text = s.String()
			}
		})
		all = all && !text.Absent()
		b.texts = append(b.texts, text)
	})
	b.text = span{Start: start, End: s.Pos()}
	if !all {
		b.texts = nil
	}
}

func (b *block) image(s *jsontext.Scanner) {
	s.Object(func(key []byte) {
		switch string(key) {
		case "media_type":
			b.media = s.String()
		case "data", "url":
			b.text = s.String()
		}
	})
}
