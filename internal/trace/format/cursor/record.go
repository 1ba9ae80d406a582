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
	decoder                    *jsontext.Decoder[block]
	hasRole, hasContent, other bool // other: has members that only other programs write
}

// A block is one piece of content.
type block struct {
	typ, text, id, name, args, of, media, whole span
	texts                                       []span // set if the content is a list
	failed                                      bool
}

// parse reads one line and reports whether it is a complete JSON object.
func (r *record) parse(s *jsontext.Scanner, line []byte) bool {
	*r = record{blocks: r.blocks[:0], decoder: r.decoder}
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

// isForeign reports whether only other programs write the member key. Lines of such
// programs also have a role and a message. Other unknown keys may be new in a later
// version of Cursor.
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
		s.Array(func() { r.blocks = append(r.blocks, r.oneBlock(s)) })
	}
}

// newBlocks returns a decoder for a piece of content.
func newBlocks() *jsontext.Decoder[block] {
	return jsontext.NewDecoder(func(b *block) jsontext.Fields {
		text := jsontext.Any{At: &b.text}
		var one span
		texts := jsontext.NewTable(jsontext.Fields{"text": &one})
		return jsontext.Fields{
			"type": &b.typ, "text": text, "thinking": text, "id": &b.id, "name": &b.name, "input": jsontext.Any{At: &b.args},
			"tool_use_id": &b.of, "is_error": &b.failed,
			"source": jsontext.Fields{"media_type": &b.media, "data": &b.text, "url": &b.text},
			"content": func(s *jsontext.Scanner) { // a string, a list of texts or any other value
				start, all := s.Pos(), true
				s.Array(func() {
					one = span{}
					texts.Read(s)
					all = all && !one.Absent()
					b.texts = append(b.texts, one)
				})
				b.text = span{Start: start, End: s.Pos()}
				if !all {
					b.texts = nil
				}
			},
		}
	})
}

// oneBlock reads a piece of content, which may be a bare string.
func (r *record) oneBlock(s *jsontext.Scanner) (b block) {
	start := s.Pos()
	if s.Peek() == '"' {
		b.text = s.String()
	} else {
		if r.decoder == nil {
			r.decoder = newBlocks()
		}
		b = r.decoder.Read(s)
	}
	b.whole = span{Start: start, End: s.Pos()}
	return b
}
