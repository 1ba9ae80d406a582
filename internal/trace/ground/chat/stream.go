package chat

import (
	"bytes"
	"encoding/json"
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/trace/ground/members"
)

// IsEventText reports whether a line is one of a stream of server-sent events.
func IsEventText(line []byte) bool {
	for _, field := range []string{"data:", "event:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(line, []byte(field)) {
			return true
		}
	}
	return false
}

// Events reads every JSON object of a text of lines: JSON Lines, or server-sent
// events, whose data may go over several lines. bad counts what is neither.
func Events(text []byte) (list []members.Object, bad int) {
	var e events
	for line := range bytes.Lines(jsontext.Trim(text)) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			e.end()
		case bytes.HasPrefix(line, []byte("data:")):
			e.add(bytes.TrimPrefix(line[len("data:"):], []byte(" ")))
		case IsEventText(line):
		default:
			e.end()
			e.add(line)
			e.end()
		}
	}
	e.end()
	return e.list, e.bad
}

// events are what was read of a stream.
type events struct {
	list   []members.Object
	bad    int
	data   []byte // of the event that is being read
	broken bool   // its data is no object, whatever follows
}

// add takes a line of data. Where the blank line between two events was lost, an
// object begins behind an object.
func (e *events) add(line []byte) {
	if !e.broken && bytes.HasSuffix(e.data, []byte("}\n")) && bytes.HasPrefix(line, []byte("{")) {
		if members.Parse(e.data) != nil {
			e.end()
		} else {
			e.broken = true
		}
	}
	e.data = append(append(e.data, line...), '\n')
}

// end ends an event.
func (e *events) end() {
	if o := members.Parse(e.data); o != nil {
		e.list = append(e.list, o)
	} else if d := jsontext.Trim(e.data); len(d) > 0 && string(d) != "[DONE]" {
		e.bad++
	}
	e.data, e.broken = e.data[:0], false
}

// IsChunk reports whether o is a piece of a streamed completion.
func IsChunk(o members.Object) bool {
	if o.Text("object") == "chat.completion.chunk" {
		return true
	}
	choices := o.Array("choices")
	return len(choices) > 0 && members.Of(choices[0]).Object("delta") != nil
}

// deltas are the members of a message that come in pieces of text.
var deltas = [...]string{"content", "refusal", "reasoning_content", "reasoning"}

// A reply is a streamed message under construction.
type reply struct {
	texts [len(deltas)]strings.Builder
	calls []*streamedCall
	old   *streamedCall // of the first kind, function_call
	end   json.RawMessage
}

type streamedCall struct {
	index    int64
	kind     string // the member that holds its name: function or custom
	id, name string
	args     strings.Builder
}

// Assemble puts the chunks of one completion together, as the response they would
// have been without streaming: of several choices the first. torn says that the
// stream stops before the reply does.
func Assemble(chunks []members.Object) (response members.Object, torn bool) {
	response = members.Object{}
	var r reply
	for _, chunk := range chunks {
		for key, raw := range chunk {
			if string(raw) != "null" && key != "choices" {
				response[key] = raw
			}
		}
		for _, raw := range chunk.Array("choices") {
			choice := members.Of(raw)
			if n, _ := choice.Int("index"); n != 0 {
				continue
			}
			r.take(choice.Object("delta"))
			if end := choice.Raw("finish_reason"); end != nil {
				r.end = end
			}
		}
	}
	if _, ok := response["object"]; ok {
		response["object"] = json.RawMessage(`"chat.completion"`)
	}
	choice := map[string]any{"index": 0, "message": r.message(), "finish_reason": r.end}
	response["choices"], _ = json.Marshal([]any{choice}) // of texts and values that were read
	return response, r.end == nil && response.Raw("error") == nil
}

func (r *reply) take(delta members.Object) {
	for i, member := range deltas {
		r.texts[i].WriteString(delta.Text(member))
	}
	for _, raw := range delta.Array("tool_calls") {
		r.call(members.Of(raw))
	}
	if o := delta.Object("function_call"); o != nil {
		if r.old == nil {
			r.old = &streamedCall{}
		}
		r.old.take(o)
	}
}

// call takes a piece of a call. Pieces are told apart by their index; servers that
// count wrongly give every call an id of its own.
func (r *reply) call(o members.Object) {
	index, _ := o.Int("index")
	id := o.Text("id")
	var c *streamedCall
	for _, known := range r.calls {
		if known.index == index {
			c = known
		}
	}
	if c == nil || id != "" && c.id != "" && id != c.id {
		c = &streamedCall{index: index}
		r.calls = append(r.calls, c)
	}
	if id != "" {
		c.id = id
	}
	for _, kind := range []string{"function", "custom"} {
		if body := o.Object(kind); body != nil {
			c.kind = kind
			c.take(body)
		}
	}
}

func (c *streamedCall) take(o members.Object) {
	c.name += o.Text("name")
	c.args.WriteString(o.Text("arguments"))
	c.args.WriteString(o.Text("input"))
}

// message is the message the chunks add up to.
func (r *reply) message() map[string]any {
	m := map[string]any{"role": "assistant", "content": nil}
	for i, member := range deltas {
		if text := r.texts[i].String(); text != "" {
			m[member] = text
		}
	}
	var calls []any
	for _, c := range r.calls {
		if c.id == "" && c.name == "" && c.args.Len() == 0 {
			continue
		}
		kind, args := "function", "arguments"
		if c.kind == "custom" {
			kind, args = "custom", "input"
		}
		calls = append(calls, map[string]any{"id": c.id, "type": kind, kind: map[string]string{"name": c.name, args: c.args.String()}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	if r.old != nil {
		m["function_call"] = map[string]string{"name": r.old.name, "arguments": r.old.args.String()}
	}
	return m
}
