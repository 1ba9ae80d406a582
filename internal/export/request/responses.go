package request

import (
	"encoding/json"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

type responsesMessage struct {
	Role    string `json:"role"`
	Content any    `json:"content"`
}

type responsesBlock struct {
	Type string         `json:"type"`
	Text *safe.SafeJSON `json:"text,omitempty"`
	// An image or a file.
	ImageURL *safe.SafeJSON `json:"image_url,omitempty"`
	FileData *safe.SafeJSON `json:"file_data,omitempty"`
	FileURL  *safe.SafeJSON `json:"file_url,omitempty"`
	Filename string         `json:"filename,omitempty"`
}

type responsesCall struct {
	Type      string        `json:"type"`
	CallID    safe.SafeJSON `json:"call_id"`
	Name      safe.SafeJSON `json:"name"`
	Arguments safe.SafeJSON `json:"arguments"`
}

type responsesOutput struct {
	Type   string        `json:"type"`
	CallID safe.SafeJSON `json:"call_id"`
	Output any           `json:"output"`
}

// responsesWriter returns the writer for the blocks of a message and for the items of a reply. A reply has one
// item for each text and call.
func responsesWriter() writer {
	return writer{
		text: func(role model.Role, text safe.SafeJSON) any {
			if role == model.Assistant {
				return responsesMessage{"assistant", text}
			}
			return responsesBlock{Type: "input_text", Text: &text}
		},
		media: responsesMedia,
		call: func(c *converter, x call) any {
			return responsesCall{"function_call", c.needID(x.id, x.made), x.name, c.g.Arguments(x.args)}
		},
		bare: responsesBare,
		tied: true,
	}
}

func responsesMedia(role model.Role, f media) (any, bool) {
	switch {
	case role == model.Assistant || strings.HasPrefix(f.url, "gs:"):
		return nil, false
	case f.kind == model.Image:
		return responsesBlock{Type: "input_image", ImageURL: &f.safeDataURL}, true
	case f.url != "":
		return responsesBlock{Type: "input_file", FileURL: &f.safeURL}, true
	case f.mime == "application/pdf":
		return responsesBlock{Type: "input_file", FileData: &f.safeDataURL, Filename: "file.pdf"}, true
	}
	return nil, false
}

// responsesBare returns a recorded call without its arguments. It removes the arguments of functions, which are
// text. It keeps those of built-in tools, because each tool has its own form.
func responsesBare(raw json.RawMessage) json.RawMessage {
	switch word(members(raw)["type"]) {
	case "function_call":
		return with(raw, "arguments", json.RawMessage(`"{}"`))
	case "custom_tool_call":
		return with(raw, "input", json.RawMessage(`""`))
	}
	return raw
}

// responsesRecords returns the items of a recorded reply with their kinds.
func responsesRecords(origin []json.RawMessage) []record {
	var recs []record
	for _, raw := range origin {
		rec := record{raw: raw}
		switch kind := word(members(raw)["type"]); {
		case kind == "reasoning":
			rec.kind = thinkingRecord
		case strings.HasSuffix(kind, "_call"):
			rec.kind = callRecord
		case kind == "message" || kind == "" && members(raw)["role"] != nil:
			rec.kind = textRecord
		}
		recs = append(recs, rec)
	}
	return recs
}

// writeResponses returns the input list for a view. A system prompt outside the list becomes the first item.
func writeResponses(c *converter, v *model.View) (any, error) {
	list := []any{}
	err := c.each(v, func(e *model.Entry, m *model.Message) error {
		origin, err := c.origin(m)
		if err != nil {
			return err
		}
		if item, err := c.recordedItem(e); item != nil || err != nil {
			list = append(list, item)
			return err
		}
		var items []any
		switch {
		case e.Kind == model.SealedEntry:
			c.lose(lostSealed)
		case e.Role == model.Assistant:
			items, err = c.pieces(responsesWriter(), e, m, responsesRecords(origin))
		case m != nil && m.Role == model.Tool:
			items, err = c.responsesOutput(e, m, origin)
		default:
			items, err = c.responsesInput(e, m, origin)
		}
		list = append(list, items...)
		return err
	})
	return list, err
}

// codexFormat is the record format whose records wrap items of this form.
const codexFormat = "codex"

// rolloutItem returns the item that a record of a rollout holds, or nil. The first versions
// recorded items without an envelope.
func rolloutItem(raw json.RawMessage) json.RawMessage {
	switch o := members(raw); {
	case word(o["type"]) == "response_item":
		return o["payload"]
	case o["payload"] == nil && o["type"] != nil:
		return raw
	}
	return nil
}

// recordedItem returns the recorded item of an entry outside the thread as it is, or nil if the
// record has none in this form.
func (c *converter) recordedItem(e *model.Entry) (any, error) {
	if e.Index >= 0 || e.Item() == nil || e.Item().Raw.None() {
		return nil, nil
	}
	text, err := c.r.Body(e.Item().Raw)
	if err != nil {
		return nil, err
	}
	o := members(json.RawMessage(text))
	if o == nil || !c.same && o["encrypted_content"] == nil {
		return nil, nil
	}
	return c.g.RawJSON([]byte(text)), nil
}

// responsesInput returns a message other than a reply.
func (c *converter) responsesInput(e *model.Entry, m *model.Message, origin []json.RawMessage) ([]any, error) {
	if len(origin) == 1 && e.Fate == model.Kept && members(origin[0]) != nil {
		return []any{c.g.RawJSON(origin[0])}, nil
	}
	content, err := c.built(responsesWriter(), e, m)
	if err != nil {
		return nil, err
	}
	role := e.Role
	if role == model.Tool { // added by a stage: answers no call
		role = model.User
	}
	return []any{responsesMessage{role.String(), plainContent(content)}}, nil
}

// plainContent returns a single text as a string, and any other content as blocks.
func plainContent(content []any) any {
	if len(content) == 0 {
		return ""
	}
	if b, ok := content[0].(responsesBlock); ok && len(content) == 1 && b.Text != nil {
		return *b.Text
	}
	return content
}

func (c *converter) responsesOutput(e *model.Entry, m *model.Message, origin []json.RawMessage) ([]any, error) {
	if len(origin) == 1 && members(origin[0]) != nil {
		if e.Fate == model.Kept {
			return []any{c.g.RawJSON(origin[0])}, nil
		}
		switch word(members(origin[0])["type"]) {
		case "function_call_output", "custom_tool_call_output":
			list, err := c.patchedList(members(origin[0])["output"], e, m)
			if err != nil {
				return nil, err
			}
			if list != nil {
				return []any{with(json.RawMessage(c.g.RawJSON(without(origin[0], "output")).String()), "output", list)}, nil
			}
			text, _, err := c.text(e, m)
			c.loseParts(m, e)
			return []any{c.g.RawJSON(with(origin[0], "output", json.RawMessage(text.String())))}, err
		}
	}
	content, err := c.built(responsesWriter(), e, m)
	if err != nil {
		return nil, err
	}
	if m.IsError {
		c.lose(lostErrorFlag)
	}
	id, made := c.answers(e, m)
	return []any{responsesOutput{"function_call_output", c.needID(id, made), plainContent(content)}}, nil
}
