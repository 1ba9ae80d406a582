package copilotcli

import (
	"hash/maphash"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat"
	"agentlens/internal/trace/ground/lines"
)

// An index is what one pass over a session gathers.
type index struct {
	lines *lines.Builder
	seed  maphash.Seed
	scan  jsontext.Scanner
	r     record
	row   lines.Row

	id, title, model string
	started          model.Time

	threads  []*thread // the first is the main one
	byKey    map[string]*thread
	byCall   map[string]*thread // the thread that made a call
	agents   map[string]string  // agent id -> call that started it
	place    map[uint64]int     // events before an event, by its id
	events   int
	total    totals
	replyEnd bool // replies came after the last shutdown
}

// A thread is the main conversation or a sub-agent's.
type thread struct {
	key, title string
	units      []*unit
	marks      []mark
	byID       map[string]*unit // replies by message id
	system     map[uint64]bool  // system prompts seen
	thought    model.Ref        // reasoning told before its reply
	model      string           // the latest that a reply named
	parent     *thread
}

// A unit is a message as it is read.
type unit struct {
	msg   *model.Message
	event int // its place among the events
	gone  bool
	reply bool
	model string
	usage model.Usage
	sent  string // what the message went out as, "" for as it is
}

// A mark is a marker at its place between units.
type mark struct {
	model.Marker
	unit    int
	restart bool // nothing before it is sent any more
	blind   bool // what is sent after it is not recorded
}

func newIndex(b *lines.Builder) *index {
	x := &index{
		lines: b, seed: maphash.MakeSeed(), byKey: map[string]*thread{}, byCall: map[string]*thread{},
		agents: map[string]string{}, place: map[uint64]int{},
	}
	x.thread("")
	return x
}

// thread is the thread of a sub-agent, by the call that started it.
func (x *index) thread(key string) *thread {
	if t := x.byKey[key]; t != nil {
		return t
	}
	t := &thread{key: key, byID: map[string]*unit{}, system: map[uint64]bool{}}
	x.byKey[key] = t
	x.threads = append(x.threads, t)
	return t
}

// of is the thread of the event at hand.
func (x *index) of() *thread {
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

// Take files one event.
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

// mark adds a marker to the thread of the event at hand.
func (x *index) mark(kind model.MarkerKind, detail ...model.Detail) *mark {
	t := x.of()
	for _, n := range x.r.numbers {
		detail = append(detail, model.Detail{Key: n.key, Value: n.n})
	}
	t.marks = append(t.marks, mark{
		Marker: model.Marker{Kind: kind, At: x.row.Time(x.r.time), Detail: detail, Origin: x.row.Whole()}, unit: len(t.units),
	})
	return &t.marks[len(t.marks)-1]
}

// detail is a recorded string of a marker; none when it is not recorded.
func (x *index) detail(key string, at span) []model.Detail {
	if at.Len() <= 2 {
		return nil
	}
	return []model.Detail{{Key: key, Value: chat.Cut(x.row.String(at), maxText)}}
}

// maxText bounds what is kept of a text outside the messages, in bytes.
const maxText = 256 << 10
