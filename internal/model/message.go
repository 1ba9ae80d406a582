package model

import "time"

// Role is who a message speaks for.
type Role uint8

// The four roles every format is brought to (reference: counting rule 1).
const (
	System Role = iota
	User
	Assistant
	Tool
)

var roleNames = [...]string{"system", "user", "assistant", "tool"}

func (r Role) String() string { return roleNames[r] }

// ParseRole maps a recorded role name to a [Role]; ok is false for an unknown name.
func ParseRole(s string) (role Role, ok bool) {
	switch s {
	case "system", "developer":
		return System, true
	case "user", "human":
		return User, true
	case "assistant", "ai", "gpt", "model", "agent":
		return Assistant, true
	case "tool", "function", "observation", "toolResult":
		return Tool, true
	}
	return User, false
}

// PartKind is what one part of a message is.
type PartKind uint8

// The kinds of parts.
const (
	Text PartKind = iota
	Thinking
	Image
	File
	Opaque // recorded, of a kind lens does not know
)

var partNames = [...]string{"text", "thinking", "image", "file", "opaque"}

func (k PartKind) String() string { return partNames[k] }

// A Part is one piece of a message's content, in recorded order.
type Part struct {
	Body  Ref
	Media string // media type of an image or file, the recorded kind of an opaque part
	Kind  PartKind
	// Sealed says that the record holds the part only encrypted: there is no text to show.
	Sealed bool
}

// A ToolCall is one call an assistant message makes.
type ToolCall struct {
	ID   string
	Name string
	Args Ref // the arguments as recorded, usually JSON
	// Result is the index of the message that answers the call in the same
	// thread. Build sets it.
	Result Maybe
	// Server says that the provider ran the call itself: it is never pending.
	Server bool
	// Ended says that the record tells outside the thread that the call was
	// answered: it is not pending though no message holds its result.
	Ended bool
	// Failed says that the record marks the call or its result as an error.
	Failed bool
}

// Pending reports whether the call waits for a result in its own thread.
func (c ToolCall) Pending() bool { return !c.Result.Known() && !c.Server && !c.Ended }

// Status is the JSON name of the call's state.
func (c ToolCall) Status() string {
	switch {
	case c.Failed:
		return "failed"
	case c.Pending():
		return "pending"
	}
	return "completed"
}

// A Message is one entry of a thread. Its index is its place in the thread.
type Message struct {
	ID     string
	CallID string // of a tool message: the call it answers
	// ToolName is the tool a tool message comes from, where recorded or known from its call.
	ToolName string
	Step     string // plan step or pipeline step, where the record has one
	// Source says what the message came from where its reader derived that
	// ("derived: HITL answer"); "" where it is recorded or not known.
	Source string
	Parts  []Part
	Calls  []ToolCall
	// Origin lists the records the message was read from, in file order.
	Origin []Ref
	At     Time
	// Group is the index of the assistant message whose calls this message
	// makes or answers, or -1. See [Thread.Members].
	Group    int32
	Call     int32 // number of the provider call whose reply this is, or 0
	Turn     Maybe // as recorded
	Sequence Maybe // as recorded
	Badges   Badges
	Role     Role
	IsError  bool
}

// HasText reports whether the message has any text part.
func (m *Message) HasText() bool { return m.has(Text) }

// HasThinking reports whether the message has any thinking part.
func (m *Message) HasThinking() bool { return m.has(Thinking) }

func (m *Message) has(k PartKind) bool {
	for i := range m.Parts {
		if m.Parts[i].Kind == k {
			return true
		}
	}
	return false
}

// StoredBytes is the size in bytes of the message's parts and call arguments as
// they are stored: a cheap measure for a first estimate.
func (m *Message) StoredBytes() int64 {
	var n int64
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind == Text || p.Kind == Thinking && !p.Sealed {
			n += int64(p.Body.Len)
		}
	}
	for i := range m.Calls {
		n += int64(m.Calls[i].Args.Len) + int64(len(m.Calls[i].Name))
	}
	return n
}

// At returns t as a time, and whether it was recorded.
func (t Time) At() (time.Time, bool) {
	if t == 0 {
		return time.Time{}, false
	}
	return time.Unix(0, int64(t)).UTC(), true
}

// TimeOf makes a [Time]; the zero time is "not recorded", and so is one that no
// count of nanoseconds reaches.
func TimeOf(t time.Time) Time {
	const first, last = 1678, 2261 // years that are whole in 64 bits
	if y := t.UTC().Year(); t.IsZero() || y < first || y > last {
		return 0
	}
	return Time(t.UnixNano())
}

// ParseTime reads an ISO 8601 time as records write it, with or without
// fraction and zone (none means UTC); 0 when s is no time.
func ParseTime(s string) Time {
	for _, layout := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return TimeOf(t)
		}
	}
	return 0
}
