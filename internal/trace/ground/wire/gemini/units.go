package gemini

import (
	"encoding/json"
	"fmt"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat/loose"
	"agentlens/internal/trace/ground/wire"
)

// Input splits a request: the system instruction, then its contents, of which one
// may hold several results.
func (Dialect) Input(request loose.Object) []wire.Unit {
	request = requestOf(request)
	var units []wire.Unit
	system := raw(request, "systemInstruction")
	if system == nil {
		system = raw(object(request, "config"), "systemInstruction")
	}
	if parts := partsOf(system); len(parts) > 0 {
		u := unit(model.System, system, parts, "systemInstruction")
		u.Prompt = true
		units = append(units, u)
	}
	contents := request.Raw("contents")
	list := loose.List(contents)
	if list == nil && contents != nil { // one content, or its text
		list = []json.RawMessage{contents}
	}
	for i, v := range list {
		units = append(units, content(v, fmt.Sprintf("contents[%d]", i))...)
	}
	return units
}

// Output is the first candidate of a response.
func (Dialect) Output(response loose.Object) []wire.Unit {
	list := inner(response, "response", "candidates").Array("candidates")
	if len(list) == 0 {
		return nil
	}
	value := loose.Of(list[0]).Raw("content")
	parts := partsOf(value)
	if len(parts) == 0 {
		return nil
	}
	return []wire.Unit{unit(model.Assistant, value, parts, "candidates[0].content")}
}

// partsOf lists the parts of a content, which may be a text or a list alone.
func partsOf(value json.RawMessage) []json.RawMessage {
	if len(value) == 0 || string(value) == `""` {
		return nil
	}
	if o := loose.Of(value); o != nil {
		if one := o.Object("parts"); one != nil {
			return []json.RawMessage{o["parts"]}
		}
		return o.Array("parts")
	}
	if value[0] == '[' {
		return loose.List(value)
	}
	return []json.RawMessage{value}
}

// content splits one content: each result of a function is a unit, all other parts
// together are one.
func content(value json.RawMessage, path string) []wire.Unit {
	role := model.User
	if name := loose.Of(value).Text("role"); name != "" && name != "function" {
		known := false
		if role, known = model.ParseRole(name); !known {
			return []wire.Unit{{
				Role: model.User, Kind: wire.IsOpaque, Raw: []json.RawMessage{value}, Path: path, Text: string(value),
				Key: wire.Key(model.User, func(put func(tag, s string)) { put("o", wire.Canonical(value)) }),
			}}
		}
	}
	var units []wire.Unit
	var other []json.RawMessage
	for _, v := range partsOf(value) {
		if role == model.User && raw(loose.Of(v), "functionResponse") != nil {
			units = append(units, unit(model.Tool, v, []json.RawMessage{v}, path))
			continue
		}
		other = append(other, v)
	}
	if len(other) > 0 || len(units) == 0 {
		units = append(units, unit(role, value, other, path))
	}
	return units
}

func unit(role model.Role, value json.RawMessage, parts []json.RawMessage, path string) wire.Unit {
	return wire.Unit{
		Role: role, Raw: []json.RawMessage{value}, Parts: parts, Path: path, Key: key(role, parts), Text: textOf(parts),
	}
}

// key leaves out thinking, signatures and the ids of calls, which clients drop or
// make up, and joins texts that follow each other, which streams cut.
func key(role model.Role, parts []json.RawMessage) uint64 {
	return wire.Key(role, func(put func(tag, s string)) {
		var said strings.Builder
		flush := func() {
			if said.Len() > 0 {
				put("t", said.String())
				said.Reset()
			}
		}
		for _, v := range parts {
			if s, ok := plain(v); ok {
				said.WriteString(s)
				continue
			}
			o := loose.Of(v)
			if isThought(o) || len(o) == 1 && raw(o, "thoughtSignature") != nil {
				continue
			}
			flush()
			for _, name := range []string{"functionCall", "functionResponse"} {
				if f := object(o, name); f != nil {
					put("n", f.Text("name"))
					put("a", wire.Canonical(f["args"])+wire.Canonical(f["response"]))
				}
			}
			for _, name := range others {
				if v := raw(o, name); v != nil {
					put(name, wire.Canonical(v))
				}
			}
		}
		flush()
	})
}

// others are the members of a part that stand for themselves.
var others = []string{"inlineData", "fileData", "executableCode", "codeExecutionResult", "toolCall", "toolResponse"}

func isThought(o loose.Object) bool { v, _ := o.Bool("thought"); return v }

// plain is the text of a part that is no thinking.
func plain(v json.RawMessage) (string, bool) {
	if s, ok := loose.Text(v); ok {
		return s, true
	}
	o := loose.Of(v)
	return o.Text("text"), o.Raw("text") != nil && !isThought(o)
}

// textOf joins the texts of parts and of results.
func textOf(parts []json.RawMessage) string {
	var texts []string
	for _, v := range parts {
		s, _ := plain(v)
		if f := object(loose.Of(v), "functionResponse"); f != nil {
			s = answer(f)
		}
		if s != "" {
			texts = append(texts, s)
		}
	}
	return strings.Join(texts, "\n")
}

// answer is the result of a function: the text of its only member, or all of it.
func answer(f loose.Object) string {
	response := f.Object("response")
	if len(response) == 1 {
		if s := response.FirstText("output", "result", "content", "error"); s != "" {
			return s
		}
	}
	return string(f.Raw("response"))
}
