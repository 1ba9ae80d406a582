package copilotcli

import (
	"hash/maphash"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/lines"
)

// An index collects the contents of a session in one pass.
type index struct {
	lines *lines.Builder
	seed  maphash.Seed
	scan  jsontext.Scanner
	r     record
	row   lines.Row

	id, title, model string
	started          model.Time

	project, branch, release string

	threads  []*thread // the first is the main thread
	byKey    map[string]*thread
	byCall   map[string]*thread // call id -> thread that made the call
	agents   map[string]string  // agent id -> id of the call that started it
	place    map[uint64]int     // event id -> number of events before it
	events   int
	total    totals
	replyEnd bool // replies follow the last shutdown record
}

// A thread is the main conversation or the conversation of a sub-agent.
type thread struct {
	key, title string
	units      []*unit
	marks      []mark
	byID       map[string]*unit // replies by message id
	system     map[uint64]bool  // hashes of system prompts seen
	thought    model.Ref        // reasoning recorded before its reply
	model      string           // the latest model recorded with a reply
	parent     *thread
}

// A unit is a message under construction.
type unit struct {
	msg   *model.Message
	event int // position of its first event in the file
	gone  bool
	reply bool
	model string
	usage model.Usage
	sent  string // the text that was sent, "" if unchanged
}

// A mark is a marker and its position between units.
type mark struct {
	model.Marker
	unit    int
	restart bool // later requests contain no earlier messages
	unknown bool // the contents of later requests are not recorded
}

func newIndex(b *lines.Builder) *index {
	x := &index{
		lines: b, seed: maphash.MakeSeed(), byKey: map[string]*thread{}, byCall: map[string]*thread{},
		agents: map[string]string{}, place: map[uint64]int{},
	}
	x.thread("")
	return x
}

// thread returns the thread of the sub-agent started by the call with id key, or
// the main thread if key is empty.
func (x *index) thread(key string) *thread {
	if t := x.byKey[key]; t != nil {
		return t
	}
	t := &thread{key: key, byID: map[string]*unit{}, system: map[uint64]bool{}}
	x.byKey[key] = t
	x.threads = append(x.threads, t)
	return t
}

// current returns the thread of the current event.
func (x *index) current() *thread {
	r := &x.r
	call, agent := x.row.String(r.parent), x.row.String(r.agent)
	if call != "" && agent != "" {
		x.agents[agent] = call
	}
	if call == "" && agent != "" {
		if call = x.agents[agent]; call == "" {
			call = agent
		}
	}
	t := x.thread(call)
	if call != "" && t.parent == nil && x.byCall[call] != t {
		t.parent = x.byCall[call]
	}
	return t
}

// Take adds one event to the index.
func (x *index) Take(row lines.Row) {
	x.row = row
	r := &x.r
	if !r.parse(&x.scan, row.Data) {
		x.lines.Broken(row)
		return
	}
	if r.id.Len() > 2 {
		id := maphash.Bytes(x.seed, row.Data[r.id.Start:r.id.End])
		if _, twice := x.place[id]; twice {
			x.lines.Repeated(row.Whole())
			return
		}
		x.place[id] = x.events
	}
	x.events++
	kind := x.lines.Name(row, r.typ)
	if !r.hasData {
		x.lines.Opaque(kind, row.Whole())
		return
	}
	if file := messages[kind]; file != nil {
		file(x)
		return
	}
	if note := events[kind]; note != nil {
		note(x)
	} else if !known(kind) {
		x.lines.Opaque(kind, row.Whole())
		return
	}
	x.lines.Document(kind+" events", "records", row.Whole())
}

// mark adds a marker to the thread of the current event.
func (x *index) mark(kind model.MarkerKind, detail ...model.Detail) *mark {
	t := x.current()
	for _, n := range x.r.numbers {
		detail = append(detail, model.Detail{Key: n.key, Value: n.n})
	}
	t.marks = append(t.marks, mark{
		Marker: model.Marker{Kind: kind, At: x.row.Time(x.r.time), Detail: detail, Origin: x.row.Whole()}, unit: len(t.units),
	})
	return &t.marks[len(t.marks)-1]
}

// detail returns a recorded string as a marker detail, or nil if it is not
// recorded.
func (x *index) detail(key string, at span) []model.Detail {
	if at.Len() <= 2 {
		return nil
	}
	return []model.Detail{{Key: key, Value: chat.Cut(x.row.String(at), maxText)}}
}

// maxText limits the size in bytes of a text that is stored outside the messages.
const maxText = 256 << 10
