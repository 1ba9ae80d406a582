package chat

import (
	"bytes"
	"slices"
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/members"
)

// Stored reports whether the document is a conversation of the lifemodel store:
// it has members no other family has beside messages, or none but its own, and
// most of its messages are texts with a time of their own.
func (s Shape) Stored() bool {
	if s.Array || !slices.Contains(s.Keys, "messages") {
		return false
	}
	marked, others := false, false
	for _, key := range s.Keys {
		switch key {
		case "messages", "status":
		case "statusUpdatedAt", "completedActions", "compactedSummary", "lastCompactedAt":
			marked = true
		default:
			others = true
		}
	}
	if others && !marked {
		return false
	}
	own := 0
	for _, m := range s.Messages {
		content := m.Raw("content")
		if IsMessage(m) && model.ParseTime(m.Text("timestamp")) != 0 && (len(content) == 0 || content[0] == '"') {
			own++
		}
	}
	return 2*own > len(s.Messages) || len(s.Messages) == 0 && len(s.Keys) > 1
}

// IsMessage reports whether o can be a chat message and is none of another family.
func IsMessage(o members.Object) bool {
	switch o.Text("role") {
	case "system", "developer", "user", "assistant", "tool", "function":
	default:
		return false
	}
	if !o.HasAny("content", "tool_calls", "function_call") || isForeign(o) {
		return false
	}
	content := o.Raw("content")
	if content == nil || content[0] == '"' {
		return true
	}
	if content[0] != '[' {
		return false
	}
	for _, raw := range members.List(content) {
		if !members.Of(raw).Has("type") {
			return false
		}
	}
	return true
}

// isForeign knows members and parts that messages of other families have.
func isForeign(o members.Object) bool {
	if o.HasAny("from", "value", "type", "uuid", "parts", "message_type", "agent", "extra", "event", "kind",
		"sessionId", "stop_reason", "evaluation_id", "__type__") {
		return true
	}
	for _, raw := range members.List(o.Raw("content")) {
		if part := members.Of(raw); part.Has("value") || isForeignPart(part.Text("type")) {
			return true
		}
	}
	return false
}

// isForeignPart knows kinds of parts that only other interfaces have.
func isForeignPart(kind string) bool {
	switch kind {
	case "tool_use", "tool_result", "server_tool_use", "redacted_thinking", "image", "document",
		"input_text", "output_text", "tool-call", "tool-result":
		return true
	}
	return false
}

// AreMessages reports whether the list is chat messages and none of another
// family's. A few in it may be damaged, or of a role that is not known here.
func AreMessages(list []members.Object) bool {
	known := 0
	for _, o := range list {
		if isForeign(o) || isMiniSWE(o) {
			return false
		}
		if IsMessage(o) {
			known++
		}
	}
	return 2*known > len(list)
}

// isMiniSWE knows the trajectories of the first mini-swe-agent, bare lists of
// role and content, by the marks of its shell actions and observations.
func isMiniSWE(o members.Object) bool {
	text := o.Text("content")
	return o.Text("role") == "assistant" && strings.Contains(text, "```mswea_bash_command") ||
		o.Text("role") == "user" && strings.HasPrefix(text, "<returncode>")
}

// IsLines reports whether the head of a file is JSON Lines: a first line that is
// an object by itself, and another after it.
func IsLines(head []byte) bool {
	first, rest, _ := bytes.Cut(jsontext.Trim(head), []byte{'\n'})
	rest = jsontext.Trim(rest)
	return len(rest) > 0 && rest[0] == '{' && members.Parse(first) != nil
}
