package pi

import (
	"hash/maphash"
	"time"

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

	id, name string
	started  model.Time
	project  string // the working directory

	entries []entry
	byID    map[uint64]int32
	total   model.Usage
}

// An entry is one line of the tree.
type entry struct {
	up     int32 // index of the parent entry, or -1
	msg    *model.Message
	call   *call
	marker *marker
}

// A call is the request that an assistant message answers.
type call struct {
	model string
	usage model.Usage
	stop  string
}

// A marker is an event. For a compaction, kept is the first retained entry.
type marker struct {
	model.Marker
	kept    int32 // index of the first entry kept, or -1
	summary string
}

func newIndex(b *lines.Builder) *index {
	return &index{lines: b, seed: maphash.MakeSeed(), byID: map[uint64]int32{}}
}

// Take adds one row to the index.
func (x *index) Take(row lines.Row) {
	x.row = row
	r := &x.r
	if !r.parse(&x.scan, row.Data) {
		x.lines.Broken(row)
		return
	}
	id := x.hash(r.id)
	if _, twice := x.byID[id]; twice && r.hasID {
		x.lines.Repeated(row.Whole())
		return
	}
	e := entry{up: x.above()}
	kind := x.lines.Name(row, r.typ)
	switch kind {
	case "session":
		x.header()
	case "message":
		x.message(&e)
	case "custom_message":
		e.msg = x.newMessage(model.User, x.content(), model.Injected)
		x.lines.Message()
	case "branch_summary":
		e.msg = x.newMessage(model.User, []model.Part{{Kind: model.Text, Body: row.Text(r.summary)}}, model.Injected, model.Summary)
		x.lines.Message()
	case "compaction":
		x.compaction(&e)
		x.document(kind)
	case "model_change":
		e.marker = x.marker(model.ModelChanged, model.Detail{Key: "to", Value: x.lines.Name(row, r.modelID)})
		x.document(kind)
	case "session_info":
		x.name = row.String(r.name)
		x.document(kind)
	case "thinking_level_change":
		e.marker = x.marker(model.ModelChanged, model.Detail{Key: effortKey, Value: x.lines.Name(row, r.effort)})
		x.document(kind)
	case "custom", "label":
		x.document(kind)
	default:
		x.lines.Opaque(kind, row.Whole())
	}
	if r.hasID && kind != "session" {
		x.byID[id] = int32(len(x.entries))
	}
	x.entries = append(x.entries, e)
}

// above returns the index of the current entry's parent. An entry without a parent
// id, or with an unknown one, follows the previous entry.
func (x *index) above() int32 {
	before := int32(len(x.entries)) - 1
	switch {
	case !x.r.hasParent:
		return before
	case x.r.parent.Len() <= 2:
		return -1
	}
	up, ok := x.byID[x.hash(x.r.parent)]
	if !ok {
		x.lines.Warn(model.WarnBrokenParent, "an entry hangs on one that is not in the file; it is taken to follow the entry before it", x.lines.Where(x.row.Whole()))
		return before
	}
	return up
}

func (x *index) hash(at span) uint64 { return maphash.Bytes(x.seed, x.row.Data[at.Start:at.End]) }

func (x *index) header() {
	if x.id == "" {
		x.id = x.row.String(x.r.id)
		x.started = x.row.Time(x.r.time)
		x.project = x.row.String(x.r.cwd)
	}
	x.document("session")
}

func (x *index) document(kind string) {
	x.lines.Document(kind+" records", "records", x.row.Whole())
}

func (x *index) at() model.Time {
	if at := x.row.Time(x.r.time); at != 0 {
		return at
	}
	if ms := x.r.millis; ms > 0 && ms < 9e12 {
		return model.TimeOf(time.UnixMilli(ms))
	}
	return 0
}

func (x *index) marker(kind model.MarkerKind, detail ...model.Detail) *marker {
	return &marker{Marker: model.Marker{Kind: kind, At: x.at(), Detail: detail, Origin: x.row.Whole()}, kept: -1}
}

// maxSummary limits the size of a stored compaction summary, in bytes.
const maxSummary = 256 << 10

func (x *index) compaction(e *entry) {
	r := &x.r
	m := x.marker(model.Compaction)
	m.summary = chat.Cut(x.row.String(r.summary), maxSummary)
	if r.hasBefore {
		m.Detail = append(m.Detail, model.Detail{Key: "tokens_before", Value: r.before})
	}
	m.Detail = append(m.Detail, model.Detail{Key: "summary", Value: m.summary})
	switch kept, ok := x.byID[x.hash(r.kept)]; {
	case r.kept.Len() > 2 && ok:
		m.kept = kept
	case r.hasKept && r.keptIndex > 0 && r.keptIndex < int64(len(x.entries)):
		m.kept = int32(r.keptIndex)
	case r.kept.Len() > 2 || r.hasKept:
		x.lines.Warn(model.WarnMissingReference, "a compaction keeps the messages from an entry on that is not before it in the file; none are taken to be kept", x.lines.Where(x.row.Whole()))
	}
	e.marker = m
}
