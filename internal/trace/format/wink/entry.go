package wink

import (
	"encoding/json"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat/loose"
)

// entryEvent is the log event of a transcript entry (since v0.26).
const entryEvent = "transcript.entry"

// An entry is one line of a transcript.
type entry struct {
	loose.Object // its context
	raw          json.RawMessage
	place        string
	at           model.Time
	detail       loose.Object
	sdk          loose.Object // detail.sdk_entry: Claude
	note         loose.Object // detail.notification: Codex
	thing        loose.Object // detail.notification.item: Codex
}

// parseEntry reads the context of a transcript.entry event.
func parseEntry(line loose.Object, raw json.RawMessage, place string) entry {
	e := entry{Object: line.Object("context"), raw: raw, place: place}
	if e.at = e.Time("timestamp"); e.at == 0 {
		e.at = line.Time("timestamp")
	}
	e.detail = e.Object.Object("detail")
	e.sdk = e.detail.Object("sdk_entry")
	e.note = e.detail.Object("notification")
	e.thing = e.note.Object("item")
	return e
}

// kind is the entry's type.
func (e *entry) kind() string { return e.Text("entry_type") }

// text is what a user, the model or its thinking says, whichever adapter wrote it.
func (e *entry) text() string {
	for _, o := range []loose.Object{e.sdk.Object("message"), e.sdk} {
		if text := blocksText(o.Raw("content")); text != "" {
			return text
		}
	}
	for _, text := range []string{e.sdk.FirstText("thinking", "text"), e.thing.Text("text"), blocksText(e.thing.Raw("summary")), e.detail.Text("text")} {
		if text != "" {
			return text
		}
	}
	return ""
}

// blocksText joins the texts of a content: a string, or a list of strings and of
// blocks with a text or thinking.
func blocksText(raw json.RawMessage) string {
	if text, ok := loose.Text(raw); ok {
		return text
	}
	var texts []string
	for _, one := range loose.Array(raw) {
		if text, ok := loose.Text(one); ok {
			texts = append(texts, text)
			continue
		}
		if text := loose.Parse(one).FirstText("text", "thinking"); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// call is the id, name and arguments of a tool use.
func (e *entry) call() (id, name string, args json.RawMessage) {
	switch {
	case e.sdk.Has("name"):
		return e.sdk.Text("id"), e.sdk.Text("name"), e.sdk.Raw("input")
	case e.thing != nil:
		return e.thing.Text("id"), codexName(e.thing), without(e.thing, "id", "type", "status")
	case e.note != nil:
		return e.note.Text("callId"), e.note.Text("tool"), e.note.Raw("arguments")
	}
	return e.detail.Text("tool_call_id"), e.detail.Text("tool_name"), e.detail.Raw("input")
}

// codexName is the name WINK gives to an item that Codex runs itself.
func codexName(thing loose.Object) string {
	switch kind := thing.Text("type"); kind {
	case "commandExecution":
		return "codex:command"
	case "fileChange":
		return "codex:file_change"
	case "webSearch":
		return "codex:web_search"
	case "mcpToolCall":
		return "codex:mcp:" + thing.Text("tool")
	default:
		return kind
	}
}

// result is the call answered, the text of the answer and whether it failed. The
// text is JSON where the entry holds no output but other facts.
func (e *entry) result() (id, text string, isJSON, failed bool) {
	switch {
	case e.sdk.Has("tool_use_id"):
		failed, _ = e.sdk.Bool("is_error")
		return e.sdk.Text("tool_use_id"), blocksText(e.sdk.Raw("content")), false, failed
	case e.thing != nil:
		status := e.thing.Text("status")
		failed = status != "" && status != "completed"
		if text = e.thing.FirstText("aggregatedOutput", "output"); text == "" && !e.thing.HasAny("aggregatedOutput", "output") {
			return e.thing.Text("id"), string(without(e.thing, "id", "type")), true, failed
		}
		return e.thing.Text("id"), text, false, failed
	case e.note != nil:
		result := e.detail.Object("result")
		success, told := result.Bool("success")
		return e.note.Text("callId"), blocksText(result.Raw("contentItems")), false, told && !success
	}
	text = e.detail.Text("output")
	return e.detail.Text("tool_call_id"), text, false, e.detail.Text("status") == "failed"
}

// without writes an object without some of its members.
func without(o loose.Object, keys ...string) json.RawMessage {
	rest := loose.Object{}
	for key, raw := range o {
		rest[key] = raw
	}
	for _, key := range keys {
		delete(rest, key)
	}
	raw, err := json.Marshal(rest)
	if err != nil {
		return nil
	}
	return raw
}

// reply is the id and model of the provider's message an entry is a piece of.
func (e *entry) reply() (id, name string) {
	message := e.sdk.Object("message")
	return message.Text("id"), message.Text("model")
}

// usage is what Claude reports with a message: its counts are disjoint.
func (e *entry) usage() model.Usage {
	var u model.Usage
	counts := e.sdk.Object("message").Object("usage")
	for _, f := range [...]struct {
		key   string
		field model.UsageField
	}{
		{"input_tokens", model.UsageInput},
		{"output_tokens", model.UsageOutput},
		{"cache_read_input_tokens", model.UsageCacheRead},
		{"cache_creation_input_tokens", model.UsageCacheWrite},
	} {
		if n, ok := counts.Int(f.key); ok {
			u.Set(f.field, n)
		}
	}
	return u
}

// tokens is what Codex reports for its thread so far. Whether inputTokens hold
// the cached ones is not said.
func (e *entry) tokens() model.Usage {
	total := e.note.Object("tokenUsage").Object("total")
	return usageOf(loose.Object{
		"cached_tokens": total["cachedInputTokens"], "input_tokens": total["inputTokens"], "output_tokens": total["outputTokens"],
	})
}
