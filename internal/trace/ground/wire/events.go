package wire

import (
	"encoding/json"

	"agentlens/internal/jsontext"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/chat/loose"
)

// eventsOf reads a list of events as captures keep it: the events themselves, or
// {event, data} with the data as a value or as its text.
func eventsOf(list []json.RawMessage) []loose.Object {
	var events []loose.Object
	for _, raw := range list {
		if text, ok := jsontext.Text(raw); ok {
			more, _ := chat.Events([]byte(text))
			events = append(events, more...)
			continue
		}
		o := loose.Of(raw)
		if o == nil {
			continue
		}
		inner := o.Object("data")
		if text := o.Text("data"); text != "" {
			inner = loose.Parse([]byte(text))
		}
		if inner != nil {
			o = inner
		}
		events = append(events, o)
	}
	return events
}
