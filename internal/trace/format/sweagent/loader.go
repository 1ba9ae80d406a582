package sweagent

import (
	"encoding/json"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/chat/loose"
	"agentlens/internal/trace/ground/document"
	"agentlens/internal/trace/ground/overlap"
)

// A loader makes a run of one trajectory.
type loader struct {
	*document.Builder
	top loose.Object
	b   *model.ThreadBuilder

	history overlap.Index
	replies []int         // assistant messages that answer a provider call
	said    overlap.Index // the places in replies, by text
}

// message adds a chat message; -1 when it is none.
func (l *loader) message(raw json.RawMessage, place string) int {
	m, err := l.Chat.Message(raw, place)
	if err != nil {
		l.Opaque("opaque messages", raw, place, "%v", err)
		return -1
	}
	i := l.Add(l.b, m)
	l.history.Add(keyOf(raw), i)
	return i
}

// keyOf stands for what a message says, in the history or in a request.
func keyOf(raw json.RawMessage) uint64 {
	o := loose.Parse(raw)
	pieces := []string{o.Text("role"), strings.TrimSpace(chat.TextOf(raw)), o.Text("tool_call_id")}
	for _, id := range o.Array("tool_call_ids") {
		pieces = append(pieces, document.Plain(id))
	}
	for _, call := range o.Array("tool_calls") {
		pieces = append(pieces, loose.Parse(call).Text("id"))
	}
	return overlap.KeyOf(pieces...)
}

// members files what the document holds beside its messages.
func (l *loader) members(but ...string) {
	for _, key := range l.top.Names(but...) {
		l.Document(key, "metadata", l.top[key], l.Place("%s", key))
	}
}
