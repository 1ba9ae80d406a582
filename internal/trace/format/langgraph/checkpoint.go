package langgraph

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/chat/loose"
)

// A row is what is known of a checkpoint without reading it.
type row struct {
	id, parent, kind string
	number           int64
	size             int64
}

// A state is what a checkpoint holds.
type state struct {
	at       model.Time
	messages []json.RawMessage
	odd      int // elements of the channel that are no messages
	summary  string
}

// toJSON brings a stored value to JSON text, by its content: rows do not always
// say of what type it is.
func toJSON(raw []byte) (string, error) {
	if json.Valid(raw) {
		return string(raw), nil
	}
	if len(raw) > 0 && raw[0] == 0x80 && len(raw) > 1 && raw[1] <= 5 {
		return "", errors.New("a pickled value, which is not safe to read")
	}
	text, err := fromMsgpack(raw)
	if err != nil {
		return "", fmt.Errorf("neither JSON nor msgpack: %w", err)
	}
	return string(text), nil
}

// shown is a stored value as a document shows it.
func shown(raw []byte) (string, error) {
	text, err := toJSON(raw)
	if err != nil {
		text = fmt.Sprintf("[%d bytes that are not shown: %v]", len(raw), err)
	}
	return text, nil
}

// readable reports whether values of a type can be read.
func readable(kind string) bool { return kind == "" || kind == "json" || kind == "msgpack" }

// parseState reads a checkpoint.
func parseState(raw []byte) (state, error) {
	text, err := toJSON(raw)
	if err != nil {
		return state{}, err
	}
	o := loose.Parse([]byte(text))
	values := o.Object("channel_values")
	if values == nil {
		return state{}, errors.New("no channel_values are in it")
	}
	s := state{at: o.Time("ts"), summary: values.Text("summary")}
	for _, raw := range values.Array(channelOf(values)) {
		if m, ok := parseMessage(raw); ok && !m.remove {
			s.messages = append(s.messages, raw)
		} else {
			s.odd++
		}
	}
	return s, nil
}

// channelOf names the channel with the conversation: messages, the root of a
// graph that is nothing but messages, or the first that holds some.
func channelOf(values loose.Object) string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range append([]string{"messages", "__root__"}, names...) {
		if list := values.Array(name); len(list) > 0 {
			if m, ok := parseMessage(list[0]); ok && !m.remove {
				return name
			}
		}
	}
	return "messages"
}

// titleOf is the first thing a person says in a first checkpoint, which holds
// what the graph was started with.
func titleOf(raw []byte) string {
	text, err := toJSON(raw)
	if err != nil {
		return ""
	}
	values := loose.Parse([]byte(text)).Object("channel_values")
	for _, channels := range []loose.Object{values, values.Object("__start__")} {
		for _, raw := range channels.Array(channelOf(channels)) {
			if m, ok := parseMessage(raw); ok && !m.remove && m.role == model.User {
				return chat.Title(chat.TextOf(withContent(m.fields)))
			}
		}
	}
	return ""
}

// withContent is a chat message that says the same.
func withContent(o loose.Object) json.RawMessage {
	text, err := json.Marshal(loose.Object{"role": json.RawMessage(`"user"`), "content": o.Raw("content")})
	if err != nil {
		return nil
	}
	return text
}

// gregorian is the start of the calendar of time-based ids, in units of 100 ns
// before the Unix epoch.
const gregorian = 0x01b21dd213814000

// timeOf is the time a checkpoint's id holds: it is a UUID of version 6.
func timeOf(id string) model.Time {
	hex := strings.ReplaceAll(id, "-", "")
	if len(hex) != 32 || hex[12] != '6' {
		return 0
	}
	n, err := strconv.ParseUint(hex[:12]+hex[13:16], 16, 64)
	if err != nil || n < gregorian || n-gregorian > 9e16 {
		return 0
	}
	return model.Time((n - gregorian) * 100)
}

// chain lists the checkpoints from the first to the newest of a namespace, along
// the parents.
func chain(rows []row) []row {
	if len(rows) == 0 {
		return nil
	}
	byID := make(map[string]row, len(rows))
	newest := rows[0]
	for _, r := range rows {
		byID[r.id] = r
		if r.id > newest.id {
			newest = r
		}
	}
	var way []row
	for r, ok := newest, true; ok; r, ok = byID[r.parent] {
		delete(byID, r.id) // parents that go round in a circle end here
		way = append(way, r)
	}
	slices.Reverse(way)
	return way
}
