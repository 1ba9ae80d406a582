package pi

import (
	"strconv"

	"agentlens/internal/jsontext"
)

// A span is the position of a value in the current line.
type span = jsontext.Span

// A record holds the positions of one line's members: an entry and its message. If
// both have the same member, the message's value takes precedence.
type record struct {
	*tables
	typ, id, parent, time     span
	hasID, hasParent, hasKept bool

	role, callID, tool, model      span
	stop, failure, command, output span
	summary, name, modelID, kept   span
	cwd                            span
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

// tables decode JSON members into the record of.
type tables struct {
	of     *record
	member *jsontext.Table
	block  *jsontext.Decoder[block]
}

// bind creates the tables of a record. It is called once per record.
func (r *record) bind() {
	r.tables = &tables{of: r}
	r.member = jsontext.NewTable(jsontext.Fields{
		"role": &r.role, "toolCallId": &r.callID, "toolName": &r.tool, "model": &r.model, "thinkingLevel": &r.effort,
		"modelId": &r.modelID, "stopReason": &r.stop, "errorMessage": &r.failure, "command": &r.command, "output": &r.output,
		"summary": &r.summary, "name": &r.name, "cwd": &r.cwd, "firstKeptEntryId": &r.kept,
		"content": jsontext.Either{Text: &r.text, Each: r.addBlock}, "usage": r.usage.fields(),
		"isError": &r.isError, "excludeFromContext": &r.excluded, "timestamp": &r.millis,
		"firstKeptEntryIndex": jsontext.Int{N: &r.keptIndex, Has: &r.hasKept},
		"tokensBefore":        jsontext.Int{N: &r.before, Has: &r.hasBefore},
	})
	r.block = jsontext.NewDecoder(func(b *block) jsontext.Fields {
		return jsontext.Fields{
			"type": &b.typ, "text": &b.text, "thinking": &b.text, "data": &b.text, "thinkingSignature": &b.sign,
			"redacted": &b.redacted, "id": &b.id, "name": &b.name, "arguments": jsontext.Any{At: &b.args}, "mimeType": &b.media,
		}
	})
}

func (u *usage) fields() jsontext.Fields {
	return jsontext.Fields{
		"input": jsontext.Int{N: &u.input, Has: &u.hasInput}, "output": jsontext.Int{N: &u.output, Has: &u.hasOutput},
		"cacheRead": jsontext.Int{N: &u.read, Has: &u.hasRead}, "cacheWrite": jsontext.Int{N: &u.write, Has: &u.hasWrite},
		"reasoning": jsontext.Int{N: &u.reasoning, Has: &u.hasReasoning},
		"cost": jsontext.Fields{"total": func(s *jsontext.Scanner) {
			raw := s.Skip()
			usd, err := strconv.ParseFloat(string(s.Buf[raw.Start:raw.End]), 64)
			if err == nil {
				u.cost, u.hasCost = usd, true
			}
		}},
	}
}

// parse reads one line and reports whether it is a complete JSON object.
func (r *record) parse(s *jsontext.Scanner, line []byte) bool {
	if r.tables == nil || r.of != r {
		r.bind()
	}
	*r = record{tables: r.tables, blocks: r.blocks[:0], keptIndex: -1}
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
			r.member.Read(s)
		default:
			r.member.Member(s, key)
		}
	})
	return s.End()
}

// addBlock reads one piece of content.
func (r *record) addBlock(s *jsontext.Scanner) {
	start := s.Pos()
	var b block
	if s.Peek() == '"' {
		b.text = s.String()
	} else {
		b = r.block.Read(s)
	}
	b.whole = span{Start: start, End: s.Pos()}
	r.blocks = append(r.blocks, b)
}
