package chat

import (
	"encoding/json"
	"errors"
	"fmt"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/members"
	"agentlens/internal/trace/ground/source"
)

// ErrNoMessage reports a value that is not a chat message.
var ErrNoMessage = errors.New("no chat message")

// A Decoder decodes chat messages and keeps their texts.
type Decoder struct{ Keep *source.Arena }

// Message decodes one message found at place. The error wraps [ErrNoMessage] if raw is not an
// object or its role is unknown.
func (d Decoder) Message(raw json.RawMessage, place string) (model.Message, error) {
	o := members.Parse(raw)
	if o == nil {
		return model.Message{}, fmt.Errorf("%s: %w: an object was expected", place, ErrNoMessage)
	}
	role, ok := model.ParseRole(o.Text("role"))
	if !ok {
		return model.Message{}, fmt.Errorf("%s: %w: role %s is not known", place, ErrNoMessage, Quote(o.Text("role")))
	}
	m := model.Message{
		ID: o.Text("id"), Role: role, At: o.Time("timestamp"),
		Origin: []model.Ref{d.JSON(raw, place)},
	}
	switch role {
	case model.Assistant:
		m.Parts = d.thinking(o, place)
		m.Calls = d.calls(o, place)
	case model.Tool:
		m.CallID, m.ToolName = o.Text("tool_call_id"), o.Text("name")
	}
	m.Parts = append(m.Parts, d.Content(o.Raw("content"), place)...)
	m.Parts = append(m.Parts, d.extras(o, place)...)
	for i := range m.Parts {
		if m.Parts[i].Sealed {
			m.Badges = m.Badges.With(model.Sealed)
		}
	}
	return m, nil
}

// JSON keeps a JSON value as written.
func (d Decoder) JSON(raw json.RawMessage, place string) model.Ref {
	ref := d.Keep.Add(string(raw), place)
	if !ref.None() {
		ref.Form = model.JSONValue
	}
	return ref
}

// Content decodes a message's content: a string, null or a list of parts. Any other content
// becomes one opaque part.
func (d Decoder) Content(raw json.RawMessage, place string) []model.Part {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if text, ok := jsontext.Text(raw); ok {
		return []model.Part{d.text(text, place)}
	}
	list := members.List(raw)
	if list == nil && raw[0] != '[' {
		return []model.Part{d.opaque("content", raw, place)}
	}
	parts := make([]model.Part, 0, len(list))
	for _, item := range list {
		parts = append(parts, d.part(item, place))
	}
	return parts
}

func (d Decoder) part(raw json.RawMessage, place string) model.Part {
	if text, ok := jsontext.Text(raw); ok {
		return d.text(text, place)
	}
	o := members.Of(raw)
	switch kind := o.Text("type"); kind {
	case "text":
		return d.text(o.Text("text"), place)
	case "refusal":
		return d.text(o.Text("refusal"), place)
	case "thinking", "reasoning":
		return model.Part{Kind: model.Thinking, Body: d.Keep.Add(o.FirstText("thinking", "reasoning", "text"), place)}
	case "image_url":
		url := o.Object("image_url").Text("url")
		if url == "" {
			url = o.Text("image_url")
		}
		return model.Part{Kind: model.Image, Media: dataMedia(url, "image"), Body: d.Keep.Add(url, place)}
	case "input_audio":
		audio := o.Object("input_audio")
		return model.Part{Kind: model.File, Media: "audio/" + audio.Text("format"), Body: d.Keep.Add(audio.Text("data"), place)}
	case "file":
		file := o.Object("file")
		data := file.FirstText("file_data", "file_id", "filename")
		return model.Part{Kind: model.File, Media: dataMedia(data, ""), Body: d.Keep.Add(data, place)}
	default:
		return d.opaque(kind, raw, place)
	}
}

func (d Decoder) text(s, place string) model.Part {
	return model.Part{Kind: model.Text, Body: d.Keep.Add(s, place)}
}

func (d Decoder) opaque(kind string, raw json.RawMessage, place string) model.Part {
	return model.Part{Kind: model.Opaque, Media: kind, Body: d.JSON(raw, place)}
}

// extras returns the parts outside the content: a refusal or spoken audio.
func (d Decoder) extras(o members.Object, place string) []model.Part {
	var parts []model.Part
	if refusal := o.Text("refusal"); refusal != "" {
		parts = append(parts, d.text(refusal, place))
	}
	if audio := o.Object("audio"); audio != nil {
		if said := audio.Text("transcript"); said != "" {
			parts = append(parts, d.text(said, place))
		}
		parts = append(parts, model.Part{Kind: model.File, Media: "audio", Body: d.Keep.Add(audio.FirstText("data", "id"), place)})
	}
	return parts
}

// thinking returns the first thinking text. Compatible servers repeat it in several members.
func (d Decoder) thinking(o members.Object, place string) []model.Part {
	if text := o.FirstText("reasoning_content", "reasoning"); text != "" {
		return []model.Part{{Kind: model.Thinking, Body: d.Keep.Add(text, place)}}
	}
	var parts []model.Part
	for _, key := range []string{"reasoning_details", "thinking_blocks"} {
		for _, raw := range o.Array(key) {
			item := members.Of(raw)
			if text := item.FirstText("text", "thinking", "summary"); text != "" {
				parts = append(parts, model.Part{Kind: model.Thinking, Body: d.Keep.Add(text, place)})
			} else if item.FirstText("data", "signature") != "" {
				parts = append(parts, model.Part{Kind: model.Thinking, Sealed: true})
			}
		}
		if parts != nil {
			break
		}
	}
	return parts
}

// dataMedia returns the media type of a data URL, or other if url is not a data URL.
func dataMedia(url, other string) string {
	const scheme = "data:"
	if len(url) < len(scheme) || url[:len(scheme)] != scheme {
		return other
	}
	for i := len(scheme); i < len(url) && i < 100; i++ {
		if url[i] == ';' || url[i] == ',' {
			return url[len(scheme):i]
		}
	}
	return other
}
