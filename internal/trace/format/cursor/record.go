package cursor

import "agentlens/internal/jsontext"

// A span is where a value stands in the line at hand.
type span = jsontext.Span

// ended is the type of the line that ends a turn.
const ended = "turn_ended"

// A record is one line by position. It is reused from line to line.
type record struct {
	typ, role, status, failure span
	text                       span // a content that is one string
	blocks                     []block
	hasRole, hasContent, other bool // other: members that lines of other programs have
}

// A block is one piece of content.
type block struct {
	typ, text, id, name, args, of, media, whole span
	texts                                       []span // of a content that is a list
	failed                                      bool
}

// parse reads one line; it reports whether the line is a whole JSON object.
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

// isForeign knows members of the lines other programs write, which have a role
// and a message too. What is not known here may be new with the next version.
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

// content reads what a tool gave: a text, a list of texts, or anything else whole.
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
