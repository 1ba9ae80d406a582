package claudecode

import (
	"hash/maphash"

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
	head       int32          // the first record of the live conversation
	cleared    map[int32]bool // records that begin a further context
	kept       segments
	agents     []agent // the threads; the first is the main one
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
	unit    int32
	kind    int32 // index into kinds
	request model.RequestKey
	usage   model.Usage
	at      model.Time
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
	request model.RequestKey
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
