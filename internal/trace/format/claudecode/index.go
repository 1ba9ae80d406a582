package claudecode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"

	"agentlens/internal/jsontext"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/account"
	"agentlens/internal/trace/ground/arena"
	"agentlens/internal/trace/ground/source"
)

// An index collects the data of one pass over a session's files.
type index struct {
	account.Account
	seed  maphash.Seed
	files source.Files
	// extra lists the paths of the documents outside the session file.
	extra []string
	names map[string]string // interned names of models, tools and agents

	recs     model.List[rec]
	byUUID   table            // record index by uuid
	first    firstRec         // the first record of the main thread
	units    model.List[unit] // in file order
	msgs     model.List[model.Message]
	replies  table // unit index by message.id
	latest   int32 // unit of the latest reply, or -1
	marks    []mark
	calls    model.List[reply]
	kinds    []model.CallKind
	byKind   map[model.CallKind]int32
	again    map[secondRequest]model.Usage
	spending *spending
	prompts  map[int32]*prompt           // per thread, its system prompt and tools
	more     map[int32][]model.LooseCall // per call, the other requests that led to its reply

	parts    arena.Of[model.Part]
	origins  arena.Of[model.Ref]
	toolUses arena.Of[model.ToolCall]
	texts    arena.Text

	session    string
	project    string
	branch     string
	release    string
	titles     [3]string // custom, ai, summary
	leaf       uint64
	head       int32               // the first record of the live conversation
	cleared    map[int32]bool      // records that begin a further context
	preceding  map[int32]int32     // the record before one that a compaction kept, where its parent is another
	inSegments map[int32][]segment // the segments that hold a record, in the order of the file
	agents     []agent             // the threads; the first is the main one
	byAgent    map[string]int32
	inline     bool            // read the sub-agents inside progress records
	sides      map[string]bool // the sub-agents with a file of their own
	lines      int             // number of record lines
	allSide    bool
	firstAgent string
}

// An agent is a thread: the main conversation or a sub-agent.
type agent struct {
	id      string
	parent  int32 // the thread that started this agent, or 0 if unknown
	inline  bool  // the thread has messages from progress records
	replied bool  // a reply of the thread was read
}

// A rec is a record of the chain. It holds hashes of ids.
type rec struct {
	uuid, parent, logical uint64
	unit, units           int32  // first unit produced by this record, or -1, and their number
	thread                int32  // index into agents; 0 is the main thread
	shape                 uint32 // size of the content; copies of a record have the same
	leafable              bool
	root                  bool // recorded without a parent
}

// A unit is what the index holds of a message besides the message of the same number. A reply
// collects the blocks of several records.
type unit struct {
	reply  uint64 // hash of a reply's message.id
	rec    int32
	thread int32
	call   int32 // index into calls, or -1
	edited bool  // a marker reports the context edits of this reply
}

// A reply is one provider call.
type reply struct {
	unit      int32
	kind      int32 // index into kinds
	request   uint64
	usage     model.Usage
	at        model.Time
	requestID string
}

// kindOf returns the index of a kind.
func (x *index) kindOf(k model.CallKind) int32 {
	i, ok := x.byKind[k]
	if !ok {
		i = int32(len(x.kinds))
		x.kinds = append(x.kinds, k)
		x.byKind[k] = i
	}
	return i
}

// A secondRequest is another request whose reply has the message id of a call.
type secondRequest struct {
	call    int32
	request uint64
}

// A mark is a marker with its position among the units.
type mark struct {
	kind    model.MarkerKind
	rec     int32
	unit    int32 // number of units before the mark
	thread  int32
	at      model.Time
	detail  []model.Detail
	origin  model.Ref
	to      string   // the new model
	targets []string // cleared call ids
	stubs   []string // per target the text that was sent instead
	kept    *kept    // what a compaction kept, or nil
}

func newIndex(f *source.File) *index {
	return &index{
		seed: maphash.MakeSeed(), files: source.Files{f}, names: map[string]string{},
		agents: make([]agent, 1), byAgent: map[string]int32{}, byKind: map[model.CallKind]int32{}, cleared: map[int32]bool{}, allSide: true, first: firstRec{rec: -1}, head: -1, latest: -1,
	}
}

func (x *index) hash(line []byte, span jsontext.Span) uint64 {
	if span.Len() <= 2 {
		return 0
	}
	return maphash.Bytes(x.seed, line[span.Start+1:span.End-1])
}

func (x *index) hashes(line []byte, spans []jsontext.Span) (list []uint64) {
	for _, span := range spans {
		list = append(list, x.hash(line, span))
	}
	return list
}

func (x *index) name(line []byte, span jsontext.Span) string {
	if span.Len() <= 2 {
		return ""
	}
	if s, ok := x.names[string(line[span.Start+1:span.End-1])]; ok {
		return s
	}
	s := jsontext.Unquote(line, span)
	x.names[string(line[span.Start+1:span.End-1])] = s
	return s
}

// text returns the decoded JSON string at span of line, or "" if the value is not a string.
func (x *index) text(line []byte, span jsontext.Span) string {
	if text, ok := jsontext.Plain(line, span); ok {
		return x.texts.Of(text)
	}
	return jsontext.Unquote(line, span)
}

// record returns the record with the given id hash, or -1.
func (x *index) record(uuid uint64) int32 { return x.byUUID.find(uuid, x.uuidOf) }

func (x *index) uuidOf(r int32) uint64  { return x.recs.At(r).uuid }
func (x *index) replyOf(u int32) uint64 { return x.units.At(u).reply }

// ref returns a reference to a span of the line at offset off.
func ref(file uint16, off int64, span jsontext.Span, form model.Form) model.Ref {
	return model.Ref{Source: file, Off: off + int64(span.Start), Len: uint32(span.Len()), Form: form}
}

// A reader adds the lines of one file to an index.
type reader struct {
	x      *index
	file   uint16
	thread int32
	r      *record // the current record

	more   record   // the second and later values of a line
	listed record   // a message listed in a progress record
	decode *decoder // decodes both
}

// line adds the values of a parsed line: r and those that follow it.
func (rd *reader) line(r *record, l source.Line) {
	rd.value(r, l)
	for rest := r.rest; rest > 0; rest = rd.more.rest {
		l.Off, l.Data = l.Off+int64(rest), l.Data[rest:]
		rd.decoder().parse(&rd.more, l)
		rd.value(&rd.more, l)
	}
}

// decoder returns the decoder of values that follow others or are inside others.
func (rd *reader) decoder() *decoder {
	if rd.decode == nil {
		rd.decode = newDecoder()
	}
	return rd.decode
}

// value adds one value of a line.
func (rd *reader) value(r *record, l source.Line) {
	if len(r.line) == 0 {
		return
	}
	rd.x.lines++
	if !r.whole {
		rd.broken(l, r.line)
		return
	}
	rd.r = r
	rd.take(l.Off + int64(r.indent))
}

// broken reports a line that is not a JSON object.
func (rd *reader) broken(l source.Line, data []byte) {
	x := rd.x
	where := fmt.Sprintf("%s, line %d", rd.x.files[rd.file].Path, l.Number)
	if l.Open {
		x.Count(model.Records{Torn: 1})
		x.Warn(model.WarnTorn, "the last line is cut: still being written, or torn", where)
		return
	}
	x.Count(model.Records{Skipped: 1})
	var v any
	err := json.Unmarshal(data, &v)
	if err == nil {
		err = errors.New("a JSON object was expected")
	}
	x.Warn(model.WarnUnreadableRecord, "a line could not be read: "+err.Error(), where)
	x.Gather("broken lines", "opaque", model.Ref{Source: rd.file, Off: l.Off, Len: uint32(len(l.Data))})
}

// known lists the record types that are not messages and need no warning.
var known = map[string]bool{
	"summary": true, "progress": true, "queue-operation": true, "file-history-snapshot": true, "system": true,
	"attachment": true, "ai-title": true, "custom-title": true, "agent-name": true, "last-prompt": true,
	"permission-mode": true, "mode": true, "pr-link": true, "worktree-state": true, "relocated": true,
	"bridge-session": true, "started": true, "result": true, "frame-link": true, "content-replacement": true,
	"tag": true, "agent-color": true, "agent-setting": true, "task-summary": true, "attribution-snapshot": true,
	"speculation-accept": true, "cost-state": true, "goal": true, "goal-cleared": true, "atis-latch": true,
	"file-history-delta": true, "continued-in": true, "fork-context-ref": true, "history-suppression": true, "dev-mods": true,
	"artifact-comment-monitor": true, "artifact-autoreact-ledger": true, "ended-by-model": true, "isolation-latch": true,
	"observer-ref": true, "launched": true, "failed": true,
}

// take adds one record to the index.
func (rd *reader) take(off int64) {
	x, r := rd.x, rd.r
	rd.facts()
	whole := model.Ref{Source: rd.file, Off: off, Len: uint32(len(r.line)), Form: model.JSONValue}
	uuid := x.hash(r.line, r.uuid)
	if uuid != 0 {
		if first := x.record(uuid); first >= 0 {
			rd.copied(first, whole)
			return
		}
	}
	thread := rd.threadOf()
	if rd.root(thread) {
		rd.context(whole)
	}
	unit, units := rd.message(whole, uuid, thread)
	switch {
	case unit >= 0:
		x.Message()
	case r.sub != nil && rd.subAgent(whole, thread):
		x.Message()
	default:
		rd.other(whole, rd.recIndex(uuid), thread)
	}
	if uuid == 0 {
		return
	}
	if thread == 0 && x.first.rec < 0 {
		x.first = firstRec{int32(x.recs.Len()), jsontext.Unquote(r.line, r.parent), rd.at(), whole}
	}
	rd.chain(uuid, unit, units, thread)
	if !r.sidechain {
		x.allSide = false
	}
}

// facts stores the facts about the run in the current record.
func (rd *reader) facts() {
	x, r := rd.x, rd.r
	if x.session == "" {
		x.session = x.name(r.line, r.session)
	}
	if rd.file > 0 {
		return
	}
	if x.project == "" {
		x.project = x.name(r.line, r.project)
	}
	if x.branch == "" {
		x.branch = x.name(r.line, r.branch)
	}
	if v := trim(r.line, r.release); len(v) > 0 && string(v) != x.release {
		x.release = x.name(r.line, r.release)
	}
}

// recIndex returns the index that the record with the given id hash will have, or -1.
func (rd *reader) recIndex(uuid uint64) int32 {
	if uuid == 0 {
		return -1
	}
	return int32(rd.x.recs.Len())
}

// chain adds the current record to the chain.
func (rd *reader) chain(uuid uint64, unit, units, thread int32) {
	x, r := rd.x, rd.r
	x.byUUID.add(uuid, rd.recIndex(uuid), x.uuidOf)
	x.recs.Add(rec{
		uuid: uuid, parent: x.hash(r.line, r.parent), logical: x.hash(r.line, r.logical),
		unit: unit, units: units, thread: thread, shape: r.shape(), root: rd.root(thread),
		leafable: r.typ == "user" || r.typ == "assistant" || r.typ == "attachment",
	})
}

// message adds the messages of the current record. It returns the first unit and the
// number of units, or -1 and 0 if the record is not a message.
func (rd *reader) message(whole model.Ref, uuid uint64, thread int32) (unit, units int32) {
	x, r := rd.x, rd.r
	before, recIndex := int32(x.units.Len()), rd.recIndex(uuid)
	switch {
	case r.typ == "user" && r.hasMessage:
		rd.user(whole, recIndex, thread)
	case r.typ == "assistant" && r.hasMessage:
		return rd.assistant(whole, recIndex, thread), 1
	case r.typ == "attachment" && rd.attached(whole, recIndex, thread):
	default:
		return -1, 0
	}
	return before, int32(x.units.Len()) - before
}

// copied counts a record whose id an earlier record has.
func (rd *reader) copied(first int32, whole model.Ref) {
	x := rd.x
	if x.recs.At(first).shape == rd.r.shape() {
		x.Document("copied records", "records", whole)
		return
	}
	x.Count(model.Records{Skipped: 1})
	x.Warn(model.WarnRepeatedRecord, "records that repeat an earlier id with other content are kept as documents", x.files.Where(whole))
	x.Gather("records with a repeated id", "opaque", whole)
}

// shape returns the size of the record's content.
func (r *record) shape() uint32 {
	n := r.content.Len() + len(r.typ)<<24
	for _, text := range r.attach.texts {
		n += text.Len()
	}
	for i := range r.blocks {
		if !r.blocks[i].inner {
			n += r.blocks[i].whole.Len()
		}
	}
	return uint32(n)
}

// threadOf returns the thread of the current record, from its file or its agent.
func (rd *reader) threadOf() int32 {
	x, r := rd.x, rd.r
	if rd.thread > 0 {
		return rd.thread
	}
	if !r.sidechain {
		return 0
	}
	agent := x.name(r.line, r.agent)
	if x.firstAgent == "" {
		x.firstAgent = agent
	}
	if p := x.record(x.hash(r.line, r.parent)); p >= 0 && agent == "" && x.recs.At(p).thread > 0 {
		return x.recs.At(p).thread
	}
	return x.agentThread(agent)
}

func (rd *reader) other(whole model.Ref, recIndex, thread int32) {
	x, r := rd.x, rd.r
	rd.titles()
	name := r.typ
	if r.subtype != "" {
		name += " " + r.subtype
	}
	if r.typ == "attachment" {
		name += " " + jsontext.Unquote(r.line, r.attach.typ)
	}
	if !known[r.typ] {
		x.Unknown(name, whole, x.files.Where(whole))
		return
	}
	x.Document(name+" records", "records", whole)
	rd.marker(whole, recIndex, thread)
}

func (rd *reader) titles() {
	x, r := rd.x, rd.r
	switch r.typ {
	case "custom-title":
		x.titles[0] = jsontext.Unquote(r.line, r.title)
	case "ai-title":
		x.titles[1] = jsontext.Unquote(r.line, r.title)
	case "summary":
		if x.titles[2] == "" {
			x.titles[2] = jsontext.Unquote(r.line, r.title)
		}
	case "last-prompt":
		x.leaf = x.hash(r.line, r.leaf)
	case "cost-state":
		rd.spent()
	}
}

func (rd *reader) marker(whole model.Ref, recIndex, thread int32) {
	x, r := rd.x, rd.r
	m := mark{rec: recIndex, unit: int32(x.units.Len()), thread: thread, at: rd.at(), origin: whole}
	switch {
	case r.subtype == "compact_boundary":
		m.kind = model.Compaction
		c := &r.compact
		m.detail = []model.Detail{{Key: "trigger", Value: jsontext.Unquote(r.line, c.trigger)}, {Key: "pre_tokens", Value: c.pre}}
		if c.hasPost {
			m.detail = append(m.detail, model.Detail{Key: "post_tokens", Value: c.post})
		}
		if len(c.preserved) > 0 || c.head.Len() > 2 {
			m.kept = &kept{
				uuids: x.hashes(r.line, c.preserved), all: x.hashes(r.line, c.all),
				head: x.hash(r.line, c.head), tail: x.hash(r.line, c.tail), anchor: x.hash(r.line, c.anchor),
			}
		}
	case r.subtype == "microcompact_boundary" || r.micro.has:
		m.kind = model.Microcompaction
		for _, t := range r.micro.tools {
			m.targets = append(m.targets, jsontext.Unquote(r.line, t))
		}
		m.detail = []model.Detail{
			{Key: "trigger", Value: jsontext.Unquote(r.line, r.micro.trigger)},
			{Key: "pre_tokens", Value: r.micro.pre},
			{Key: "tokens_saved", Value: r.micro.saved},
			{Key: "cleared", Value: int64(len(m.targets))},
		}
	case r.typ == "content-replacement":
		m.kind = model.ContextEdit
		for _, s := range r.stubs {
			m.targets = append(m.targets, jsontext.Unquote(r.line, s.tool))
			m.stubs = append(m.stubs, jsontext.Unquote(r.line, s.text))
		}
		m.detail = []model.Detail{{Key: "what", Value: "previews were sent instead of long results"}, {Key: "tool_results", Value: int64(len(m.targets))}}
	case r.subtype == "api_error":
		m.kind = model.ErrorMarker
		m.detail = []model.Detail{{Key: "what", Value: "API error"}}
		if r.attempt > 0 {
			m.kind = model.Retry
			m.detail = append(m.detail, model.Detail{Key: "attempt", Value: r.attempt}, model.Detail{Key: "of", Value: r.attempts})
		}
	case r.subtype == "model_refusal_fallback":
		m.kind = model.ModelChanged
		m.detail, m.to = r.refused.detail(r.line), jsontext.Unquote(r.line, r.refused.to)
	default:
		return
	}
	x.marks = append(x.marks, m)
}

func (rd *reader) at() model.Time {
	if text, ok := jsontext.Plain(rd.r.line, rd.r.time); ok {
		return model.ParseTime(string(text))
	}
	return 0
}

// wrappers are prefixes of injected user texts.
var wrappers = []string{
	"<command-name>", "<command-message>", "<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>",
	"<system-reminder>", "<task-notification>", "<ide_opened_file>", "<bash-input>", "<bash-stdout>", "[Request interrupted by user",
}

// wrapped reports whether the JSON string at span of line begins with one of the wrappers.
func wrapped(line []byte, span jsontext.Span) bool {
	if span.Len() < 3 {
		return false
	}
	head := line[span.Start+1 : min(span.End-1, span.Start+48)]
	if !bytes.HasPrefix(head, []byte("<")) && !bytes.HasPrefix(head, []byte("[")) && !bytes.Contains(head, []byte(`\u003c`)) {
		return false // the usual case
	}
	text := strings.Replace(string(head), `\u003c`, "<", 1)
	for _, w := range wrappers {
		if strings.HasPrefix(text, w) || strings.HasPrefix(w, text) && len(text) > 12 {
			return true
		}
	}
	return false
}
