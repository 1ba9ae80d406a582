package spans

import (
	"encoding/json"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/members"
	"agentlens/internal/trace/ground/shapes"
	"agentlens/internal/trace/ground/source"
)

// A Family is how one kind of record writes operations.
type Family struct {
	Format string // name of the format
	// Lists are the members in which records hold operations: of a torn record
	// those that are whole are read.
	Lists []string
	// Database reads the records of a database, nil where the family has none.
	Database *Database
	// Split finds the pieces of operations in one record of the file.
	Split func(record json.RawMessage, to *Sink)
	// Span says what an operation is, once its pieces are together.
	Span func(p *Piece) Span
}

// A Sink takes what a record holds. Raw values are kept, not copied.
type Sink struct {
	Place  string // of the record
	pieces []Piece
	papers []paper
	opaque []paper
}

// paper is anything of a record that is no operation.
type paper struct {
	trace      string // "" belongs to all
	name, kind string
	raw        json.RawMessage
	place      string
}

// Piece adds a piece of an operation.
func (s *Sink) Piece(p Piece) {
	p.place = s.Place
	s.pieces = append(s.pieces, p)
}

// Document adds something that is no operation; trace is "" where it belongs to all.
func (s *Sink) Document(trace, name, kind string, raw json.RawMessage) {
	s.papers = append(s.papers, paper{trace, name, kind, raw, s.Place})
}

// Opaque adds a record nobody knows.
func (s *Sink) Opaque(raw json.RawMessage) {
	s.opaque = append(s.opaque, paper{"", "unknown record", "opaque", raw, s.Place})
}

// A Piece is an operation, or a part of one: pieces of one trace and id are put
// together, later members over earlier ones.
type Piece struct {
	ID, Parent, Trace string
	// Session is the conversation the operation says it belongs to, or "".
	Session string
	Start   model.Time
	Fields  members.Object
	// Extra are records about the operation that stand outside it, as events in a log.
	Extra []json.RawMessage
	Raw   json.RawMessage

	place string
	more  []paper // further pieces, as they were written
}

// Kind is what an operation is.
type Kind uint8

// The kinds of operations.
const (
	Other Kind = iota
	LLM        // a provider call
	Tool       // a tool that ran
	Agent      // a loop of calls with a history of its own
)

// A Span is one operation.
type Span struct {
	Kind  Kind
	Name  string
	Agent string // name of the agent
	Start model.Time
	End   model.Time
	// Error is what the operation failed with, "" when it did not; Failed says
	// that it did.
	Error  string
	Failed bool

	Model string
	Usage model.Usage
	Tools []string // names of the tools offered
	// Request and Reply read what the operation was given and gave; nil or not
	// found where it is not recorded.
	Request, Reply func() shapes.Conversation
	// Call and Result are a tool's operation: what it was called with and what it
	// gave back, nil where that is not recorded.
	Call   shapes.Call
	Result json.RawMessage
}

// merge puts a later piece of an operation over an earlier one. A member that
// says nothing does not erase one that does.
func (p *Piece) merge(q Piece) {
	for key, raw := range q.Fields {
		if says(raw) || !p.Fields.Has(key) {
			p.Fields[key] = raw
		}
	}
	if p.Parent == "" {
		p.Parent = q.Parent
	}
	if p.Session == "" {
		p.Session = q.Session
	}
	if p.Start == 0 || q.Start != 0 && q.Start < p.Start {
		p.Start = q.Start
	}
	p.Extra = append(p.Extra, q.Extra...)
	p.more = append(p.more, paper{raw: q.Raw, place: q.place})
}

func says(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "{}", "[]", `""`:
		return false
	}
	return true
}

// An operation is a span in its tree.
type operation struct {
	*Piece
	Span
	parent *operation
	agent  *operation // the nearest agent above, or nil
	wraps  bool       // contains another of its kind
}

// Usage converts figures that count cached tokens inside the input. An input smaller
// than the cached tokens cannot include them and stays unchanged.
func Usage(o members.Object, input, output, read, write, reasoning []string) model.Usage {
	var u model.Usage
	in, hasIn := first(o, input)
	r, hasRead := first(o, read)
	w, hasWrite := first(o, write)
	if hasIn && in >= r+w {
		in -= r + w
	}
	out, hasOut := first(o, output)
	think, hasThink := first(o, reasoning)
	for _, f := range []struct {
		field model.UsageField
		n     int64
		ok    bool
	}{
		{model.UsageInput, in, hasIn},
		{model.UsageOutput, out, hasOut},
		{model.UsageCacheRead, r, hasRead},
		{model.UsageCacheWrite, w, hasWrite},
		{model.UsageReasoning, think, hasThink},
	} {
		if f.ok {
			u.Set(f.field, f.n)
		}
	}
	return u
}

// first is the first of keys that is a whole number of at least 0.
func first(o members.Object, keys []string) (int64, bool) {
	for _, key := range keys {
		if n, ok := o.Int(key); ok && n >= 0 {
			return n, true
		}
	}
	return 0, false
}

// maxDocument bounds a file that is one JSON document, in bytes. Files of lines
// have no bound.
const maxDocument = 512 << 20

// Open is the Open of a format whose family is f.
func Open(family Family, f *source.File) (source.Reader, error) {
	return &reader{family: family, file: f}, nil
}
