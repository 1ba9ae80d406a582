package responses

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"agentlens/internal/trace/ground/chat/loose"
	"agentlens/internal/trace/ground/wire"
)

// A stream is a response under construction.
type stream struct {
	response loose.Object
	items    map[int64]*building
	begun    bool
	whole    bool
	unknown  []json.RawMessage
}

// A building is one item of its output. Texts are the pieces of what is not whole
// yet, by the member they belong to and their place in it.
type building struct {
	item  loose.Object
	done  bool
	texts map[piece]*strings.Builder
}

// A piece is a place for text: a block of a member, or with block "" the member.
type piece struct {
	member, block string
	index         int64
}

// deltas says where the text of an event belongs.
var deltas = map[string]piece{
	"response.output_text.delta":                {member: "content", block: "output_text"},
	"response.refusal.delta":                    {member: "content", block: "refusal"},
	"response.reasoning_text.delta":             {member: "content", block: "reasoning_text"},
	"response.reasoning_summary_text.delta":     {member: "summary", block: "summary_text"},
	"response.function_call_arguments.delta":    {member: "arguments"},
	"response.mcp_call_arguments.delta":         {member: "arguments"},
	"response.custom_tool_call_input.delta":     {member: "input"},
	"response.code_interpreter_call_code.delta": {member: "code"},
}

// callsBy are the kinds of calls by the member their text belongs to.
var callsBy = map[string]string{"arguments": "function_call", "input": "custom_tool_call", "code": "code_interpreter_call"}

// repeats are the ends of the names of events that tell what others tell too.
var repeats = []string{".done", ".added", ".in_progress", ".searching", ".completed", ".interpreting", ".generating", ".partial_image", ".queued", ".failed", ".delta", ".compacting"}

// Fold puts the events of one or several responses together.
func (Dialect) Fold(events []loose.Object) []wire.Folded {
	var list []wire.Folded
	s := newStream()
	end := func() {
		if s.begun {
			list = append(list, wire.Folded{Response: s.body(), Torn: !s.whole, Unknown: s.unknown})
		}
		s = newStream()
	}
	for _, e := range events {
		if s.whole || s.begun && e.Text("type") == "response.created" {
			end()
		}
		s.event(e)
	}
	end()
	return list
}

func newStream() *stream {
	return &stream{response: loose.Object{}, items: map[int64]*building{}}
}

func (s *stream) event(e loose.Object) {
	index, _ := e.Int("output_index")
	switch kind := e.Text("type"); kind {
	case "response.created", "response.in_progress", "response.queued":
		s.begun = true
		maps.Copy(s.response, e.Object("response"))
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		s.begun, s.whole = true, true
		maps.Copy(s.response, e.Object("response"))
	case "error":
		s.begun, s.whole = true, true
		s.response["error"], _ = json.Marshal(e) // of values that were read
	case "response.output_item.added":
		s.begun = true
		s.at(index).item = e.Object("item")
	case "response.output_item.done":
		s.begun = true
		s.items[index] = &building{item: e.Object("item"), done: true}
	default:
		p, known := deltas[kind]
		if !known {
			s.other(e, kind)
			return
		}
		s.begun = true
		if p.index, known = e.Int("content_index"); !known {
			p.index, _ = e.Int("summary_index")
		}
		s.at(index).add(p, e.Text("delta"))
	}
}

// other takes an event that adds nothing, or one nobody knows.
func (s *stream) other(e loose.Object, kind string) {
	if strings.HasPrefix(kind, "response.") && slices.ContainsFunc(repeats, func(end string) bool { return strings.HasSuffix(kind, end) }) {
		s.begun = true
		return
	}
	raw, _ := json.Marshal(e) // of values that were read
	s.unknown = append(s.unknown, raw)
}

func (s *stream) at(index int64) *building {
	b := s.items[index]
	if b == nil {
		b = &building{}
		s.items[index] = b
	}
	return b
}

func (b *building) add(p piece, text string) {
	if b.texts == nil {
		b.texts = map[piece]*strings.Builder{}
	}
	if b.texts[p] == nil {
		b.texts[p] = &strings.Builder{}
	}
	b.texts[p].WriteString(text)
}

// body is the response the stream adds up to: as its end gives it, or item by item.
func (s *stream) body() loose.Object {
	o := maps.Clone(s.response)
	if s.whole && len(o.Array("output")) > 0 || len(s.items) == 0 {
		return o
	}
	output := []loose.Object{}
	for _, index := range slices.Sorted(maps.Keys(s.items)) {
		output = append(output, s.items[index].whole())
	}
	o["output"], _ = json.Marshal(output) // of values that were read
	return o
}

// whole is the item with its pieces in it.
func (b *building) whole() loose.Object {
	o := loose.Object{}
	maps.Copy(o, b.item)
	if b.done {
		return o
	}
	places := slices.SortedFunc(maps.Keys(b.texts), func(p, q piece) int {
		return cmp.Or(cmp.Compare(p.index, q.index), strings.Compare(p.member+p.block, q.member+q.block))
	})
	made := map[string][]map[string]string{}
	kind := ""
	for _, p := range places {
		text := b.texts[p].String()
		if p.block == "" {
			o[p.member] = toRaw(text)
			kind = callsBy[p.member]
			continue
		}
		made[p.member] = append(made[p.member], map[string]string{"type": p.block, "text": text})
		if kind = "message"; p.block == "reasoning_text" || p.block == "summary_text" {
			kind = "reasoning"
		}
	}
	for member, list := range made {
		o[member], _ = json.Marshal(list) // of texts
	}
	if !o.Has("type") { // its start was lost
		o["type"] = toRaw(kind)
		if kind == "message" {
			o["role"] = toRaw("assistant")
		}
	}
	return o
}

func toRaw(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // of a string: no error
	return raw
}
