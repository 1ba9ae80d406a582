package shapes

import (
	"encoding/json"
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/overlap"
	"agentlens/internal/trace/ground/source"
)

// A Message is one message as it was found, before it enters a thread. It holds
// its texts, so keep few of them.
type Message struct {
	Role    model.Role
	ID      string
	At      model.Time
	Calls   []Call
	CallID  string // of a result: the call it answers
	Tool    string // of a result: the tool it comes from
	IsError bool
	// Raw is the record it was read from; one record may give several messages.
	Raw json.RawMessage
	// Odd is a recorded role that is none of the known ones.
	Odd string
	// Strange is how many of its parts are of a kind that is not known.
	Strange int

	parts   []part
	results []Message // results that stand among the parts
	item    bool      // an item of a reply that others may follow
}

// A Call is one tool call.
type Call struct {
	ID, Name string
	// Args are the arguments: the text as it was written, or a JSON value.
	Args string
	JSON bool
	// Server says that the provider ran the call itself.
	Server bool
}

// part is one piece of content.
type part struct {
	kind   model.PartKind
	text   string
	media  string
	json   bool // text is a JSON value
	sealed bool
}

// Texts joins the text parts by newlines.
func (m *Message) Texts() string {
	var list []string
	for _, p := range m.parts {
		if p.kind == model.Text && p.text != "" {
			list = append(list, p.text)
		}
	}
	return strings.Join(list, "\n")
}

// Empty reports whether the message says nothing at all.
func (m *Message) Empty() bool { return len(m.parts) == 0 && len(m.Calls) == 0 }

// Key is equal for messages that say the same, though one of them leaves thinking
// or marks out, or writes arguments in another order.
func (m *Message) Key() uint64 {
	return overlap.Key(m.says)
}

// says tells put what the message says.
func (m *Message) says(put func(tag, s string)) {
	put("r", m.Role.String())
	put("i", m.CallID)
	put("t", m.Texts())
	for _, p := range m.parts {
		if p.kind != model.Text && p.kind != model.Thinking {
			put("p", p.text)
		}
	}
	for _, c := range m.Calls {
		put("c", c.ID)
		put("n", c.Name)
		put("a", Canonical(c.Args))
	}
}

// Canonical writes a JSON value in one form, whatever the order of its members;
// a text that is no JSON stays as it is.
func Canonical(text string) string {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return text
	}
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	out, err := json.Marshal(v)
	if err != nil {
		return text
	}
	return string(out)
}

// Model makes the message of the model and keeps its texts.
func (m *Message) Model(keep *source.Arena, place string) model.Message {
	dec := chat.Decoder{Keep: keep}
	out := model.Message{
		ID: m.ID, Role: m.Role, At: m.At, CallID: m.CallID, ToolName: m.Tool, IsError: m.IsError,
		Origin: []model.Ref{dec.JSON(m.Raw, place)},
	}
	for _, p := range m.parts {
		body := keep.Add(p.text, place)
		if p.json && !body.None() {
			body.Form = model.JSONValue
		}
		out.Parts = append(out.Parts, model.Part{Kind: p.kind, Media: p.media, Sealed: p.sealed, Body: body})
		if p.sealed {
			out.Badges = out.Badges.With(model.Sealed)
		}
	}
	for _, c := range m.Calls {
		args := keep.Add(c.Args, place)
		if c.JSON && !args.None() {
			args.Form = model.JSONValue
		}
		out.Calls = append(out.Calls, model.ToolCall{ID: c.ID, Name: c.Name, Args: args, Server: c.Server})
	}
	return out
}

// Result makes the message of a tool's result; value is a text or any JSON value.
func Result(id, tool string, value json.RawMessage) Message {
	m := Message{Role: model.Tool, CallID: id, Tool: tool, Raw: value}
	m.value(value)
	return m
}

// Made makes an assistant message of one call.
func Made(c Call, raw json.RawMessage) Message {
	return Message{Role: model.Assistant, Calls: []Call{c}, Raw: raw}
}

// Said makes a message of one text.
func Said(role model.Role, text string, raw json.RawMessage) Message {
	return Message{Role: role, Raw: raw, parts: []part{{kind: model.Text, text: text}}}
}

// Arguments reads arguments as they are written: a text or any JSON value.
func Arguments(raw json.RawMessage) (args string, isJSON bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", false
	}
	if text, ok := jsontext.Text(raw); ok {
		return text, false
	}
	return string(raw), true
}

// joined puts the items of one reply together.
func (m *Message) joined(next Message) {
	m.parts = append(m.parts, next.parts...)
	m.Calls = append(m.Calls, next.Calls...)
	if m.ID == "" {
		m.ID = next.ID
	}
	raw := make(json.RawMessage, 0, len(m.Raw)+len(next.Raw)+1)
	m.Raw = append(append(append(raw, m.Raw...), '\n'), next.Raw...)
}
