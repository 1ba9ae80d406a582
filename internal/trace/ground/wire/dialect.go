package wire

import (
	"encoding/json"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/members"
	"agentlens/internal/trace/ground/overlap"
)

// A Dialect describes the requests and responses of one provider's interface. Its
// arguments come from records and may contain anything.
type Dialect interface {
	// Sure reports whether o, of which members may be cut off, is a request, a
	// response or an event of this dialect and of no other.
	Sure(o members.Object) bool
	// IsRequest, IsResponse, IsEvent and IsItem classify o once the dialect is known.
	// An item is one entry of a request's history by itself.
	IsRequest(o members.Object) bool
	IsResponse(o members.Object) bool
	IsEvent(o members.Object) bool
	IsItem(o members.Object) bool
	// HistoryKeys are the members of a request that hold its history; the first
	// is the list of items.
	HistoryKeys() []string
	// Fold puts the events of a stream together.
	Fold(events []members.Object) []Folded
	// Input splits the history of a request into units, the system prompt first.
	Input(request members.Object) []Unit
	// Output splits a response into units: the reply, and compactions beside it.
	Output(response members.Object) []Unit
	// Message decodes a unit. Its origin is set by the caller.
	Message(dec Decoder, u Unit, place string) model.Message
	// Facts returns the other facts of an exchange; both arguments may be nil.
	Facts(request, response members.Object) Facts
	// Edits returns the changes that the provider made to the units it was sent.
	Edits(request, response members.Object, sent []Unit) Edits
}

// A Unit is a piece of a history that becomes one message, or a compaction that
// becomes none.
type Unit struct {
	Role model.Role
	Kind UnitKind
	Raw  []json.RawMessage // the records it is made of, as written
	// Parts are the pieces of content in order, where the dialect splits Raw further.
	Parts []json.RawMessage
	Path  string // position in its body: "messages[3]"
	// Prompt marks the system prompt, which is outside the history and which the
	// provider does not keep.
	Prompt bool
	// Key is equal for units that say the same, though one of them leaves
	// thinking, marks or ids out.
	Key uint64
	// Ref is a key made of the ids of its records, 0 where they have none; ByRef
	// says that the records are no more than ids, which Ref stands for.
	Ref   uint64
	ByRef bool
	// Text is the text of a compaction, "" where it is sealed, and for every
	// unit what is shown of it where it is no message of the thread.
	Text string
}

// UnitKind is the kind of a unit.
type UnitKind uint8

// The kinds of units.
const (
	IsMessage    UnitKind = iota
	IsCompaction          // stands for what was before it
	IsOpaque              // an entry of a kind the dialect does not know
)

// Facts are the facts of an exchange apart from its history.
type Facts struct {
	Model    string
	ID       string // of the response
	Previous string // id of the response the provider goes on from by itself
	// Remote says that the provider holds the history under another name.
	Remote bool
	At     model.Time
	Usage  model.Usage
	Tools  []string
	Error  json.RawMessage // nil when the exchange went well
}

// Edits are the changes that the provider made to the units of a request.
type Edits struct {
	Markers []model.Marker // After is set by the caller
	// Changes holds the change of a unit by its index.
	Changes map[int]Change
	Note    string
}

// A Change is the change of one unit: removed, or another text.
type Change struct {
	Gone   bool
	Text   string
	Reason string
}

// Folded is one response of a stream.
type Folded struct {
	Response members.Object
	Torn     bool              // the stream ends before the response does
	Unknown  []json.RawMessage // events of kinds the dialect does not know
}

// A Decoder keeps the texts of messages. It calls Unknown for unknown parts.
type Decoder struct {
	chat.Decoder
	Unknown func(kind, place string)
}

// Text is a text part.
func (d Decoder) Text(s, place string) model.Part {
	return model.Part{Kind: model.Text, Body: d.Keep.Add(s, place)}
}

// Thinking is a thinking part; one without text is sealed.
func (d Decoder) Thinking(s, place string) model.Part {
	return model.Part{Kind: model.Thinking, Body: d.Keep.Add(s, place), Sealed: s == ""}
}

// Opaque is a part kept as it was written. Known kinds are those the dialect has
// no better form for; others are reported.
func (d Decoder) Opaque(kind string, raw json.RawMessage, place string, known bool) model.Part {
	if !known && d.Unknown != nil {
		d.Unknown(kind, place)
	}
	return model.Part{Kind: model.Opaque, Media: kind, Body: d.JSON(raw, place)}
}

// Key makes the key of a unit from what put is given.
func Key(role model.Role, write func(put func(tag, s string))) uint64 {
	return overlap.Key(func(put func(tag, s string)) {
		put("r", role.String())
		write(put)
	})
}

// Canonical writes a JSON value in one form, so that an object and its echo are
// equal whatever the order of their members.
func Canonical(raw json.RawMessage) string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return string(raw)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return string(raw)
	}
	return string(text)
}

// Names are the names of the tools of a request; kinds that have no name go by
// their type.
func Names(list []json.RawMessage) []string {
	var names []string
	for _, raw := range list {
		if name := members.Of(raw).FirstText("name", "type"); name != "" {
			names = append(names, name)
		}
	}
	return names
}
