package chat

import (
	"encoding/json"
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/trace/ground/members"
	"agentlens/internal/trace/ground/overlap"
)

// Fingerprint is equal for messages with the same role, texts, calls and answered call. A
// reply equals its echo in the next request, even if the echo omits members.
func Fingerprint(raw json.RawMessage) uint64 {
	return KeyOf(members.Of(raw))
}

// KeyOf is [Fingerprint] of a message whose members are known.
func KeyOf(o members.Object) uint64 {
	return overlap.Key(func(put func(tag, s string)) { content(o, put) })
}

// content passes the content of a message to put.
func content(o members.Object, put func(tag, s string)) {
	put("r", o.Text("role"))
	put("i", o.Text("tool_call_id"))
	raw := o.Raw("content")
	if text, ok := jsontext.Text(raw); ok {
		if text != "" {
			put("t", text)
		}
	} else {
		for _, item := range members.List(raw) {
			part := members.Of(item)
			if text := part.Text("text"); part.Text("type") != "text" {
				put("p", string(item))
			} else if text != "" {
				put("t", text)
			}
		}
	}
	for _, c := range callsOf(o) {
		put("c", c.id)
		put("n", c.name)
		put("a", c.text())
	}
}

// TextOf joins the texts of a message with newlines.
func TextOf(raw json.RawMessage) string {
	content := members.Of(raw).Raw("content")
	if text, ok := jsontext.Text(content); ok {
		return text
	}
	var texts []string
	for _, item := range members.List(content) {
		if text := members.Of(item).Text("text"); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}
