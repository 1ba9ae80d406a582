package chat

import (
	"encoding/json"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/members"
)

// A call is one tool call in any of the three forms.
type call struct {
	id, name string
	args     string
	isJSON   bool // args is a JSON value, not a text
}

// calls lists the calls of an assistant message.
func (d Decoder) calls(o members.Object, place string) []model.ToolCall {
	written := callsOf(o)
	if len(written) == 0 {
		return nil
	}
	calls := make([]model.ToolCall, len(written))
	for i, c := range written {
		args := d.Keep.Add(c.args, place)
		if c.isJSON {
			args = d.JSON(json.RawMessage(c.args), place)
		}
		calls[i] = model.ToolCall{ID: c.id, Name: c.name, Args: args}
	}
	return calls
}

// callsOf reads tool_calls, function or custom, and the old function_call.
func callsOf(o members.Object) []call {
	var calls []call
	for _, raw := range o.Array("tool_calls") {
		if item := members.Of(raw); item != nil {
			calls = append(calls, callOf(item))
		}
	}
	if old := o.Object("function_call"); old != nil && len(calls) == 0 {
		calls = append(calls, callOf(old))
	}
	return calls
}

// callOf reads {id, function: {name, arguments}}, {id, custom: {name, input}}
// and the flat {name, arguments} or {call_id, name, arguments}.
func callOf(item members.Object) call {
	c := call{id: item.FirstText("id", "call_id")}
	body := item.Object("function")
	if body == nil {
		body = item.Object("custom")
	}
	if body == nil {
		body = item
	}
	c.name = body.Text("name")
	for _, key := range []string{"arguments", "input", "args"} {
		raw := body.Raw(key)
		if raw == nil {
			continue
		}
		text, isText := jsontext.Text(raw)
		if !isText {
			text, c.isJSON = string(raw), true
		}
		c.args = text
		break
	}
	return c
}
