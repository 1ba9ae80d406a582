package model

// Basis says how a view is known.
type Basis uint8

const (
	// NotRecorded: the record does not tell what the provider was given.
	NotRecorded Basis = iota
	// Recorded: the record holds it.
	Recorded
	// Derived ("reconstructed"): derived from markers of the record.
	Derived
	// Simulated: a strategy chain applied to the history.
	Simulated
)

var basisNames = [...]string{"not recorded", "recorded", "reconstructed", "simulated"}

func (b Basis) String() string { return basisNames[b] }

// A Call is one request to the model.
type Call struct {
	Number int // from 1
	// Given is the number of leading messages of the thread that were there to
	// be given; GivenList is set instead where they are no prefix.
	Given     int
	GivenList []int32
	Reply     Maybe // index of the reply
	At        Time
	Model     string
	// Window is the size of the model's context window in tokens as the record
	// tells it of this call; 0 where it does not. See [Thread.Window].
	Window int64
	Usage  Usage
	Basis  Basis
	Badges Badges
	// Sent is the recorded view of this call, message by message, where the
	// record holds the request itself; nil otherwise.
	Sent []Sent
	// Prompt is the rendered prompt of the call where the record holds it as one text.
	Prompt Ref
	// Tools are the names of the tools offered, where recorded.
	Tools []string
	// Evidence is the record that Basis rests on, Note one sentence on it.
	Evidence Ref
	Note     string
}

// A Sent is one message of a recorded view.
type Sent struct {
	Index  Maybe // the message of the thread, where it is one
	Role   Role
	Body   Ref    // the text of a message that is not in the thread
	Reason string // how it is known
}

// MarkerKind names an event of the record.
type MarkerKind string

// The kinds of markers (design: words).
const (
	Compaction      MarkerKind = "compaction"
	Microcompaction MarkerKind = "microcompaction"
	ContextEdit     MarkerKind = "context edit"
	HistoryCurated  MarkerKind = "history curated"
	Rewind          MarkerKind = "rewind"
	Paused          MarkerKind = "paused"
	Resumed         MarkerKind = "resumed"
	SectionOpened   MarkerKind = "section opened"
	StepSummarised  MarkerKind = "step summarised"
	StepExpanded    MarkerKind = "step expanded"
	Retry           MarkerKind = "retry"
	ModelChanged    MarkerKind = "model changed"
	ErrorMarker     MarkerKind = "error"
)

// ThreadStart is the After of a [Marker] before the first message.
const ThreadStart = -1

// A Marker is an event at a position in a thread.
type Marker struct {
	Kind   MarkerKind
	After  int // index of the message it follows, or ThreadStart
	At     Time
	Detail []Detail
	Origin Ref
}

// A Detail is one recorded fact of a marker. Values are strings, int64, float64,
// bool or []string.
type Detail struct {
	Key   string
	Value any
}

// EditKind is what an [Edit] does to what the provider was given.
type EditKind uint8

const (
	// Restart: the view begins anew at message From; earlier messages are gone
	// but for a leading system message and those in Targets.
	Restart EditKind = iota
	// Clear: the messages in Targets went out with Text in place of their own.
	Clear
)

// An Edit is a change of what the provider was given that the record tells of.
// It holds from the first call after its marker on, until a later Restart. The
// recorded and reconstructed views of a thread are its history with its edits.
type Edit struct {
	Kind    EditKind
	After   int     // index of the message the change follows
	From    int     // Restart: first message of the new view
	Targets []int32 // Restart: earlier messages that stay; Clear: messages emptied
	Text    string  // Restart: a summary that is no message of the thread, "" for none; Clear: the placeholder
	Role    Role    // role of a Restart's Text
	Basis   Basis
	Reason  string // "compaction at message 368 (auto)"
	Origin  Ref
}
