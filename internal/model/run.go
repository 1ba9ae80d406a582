package model

import (
	"fmt"
	"strings"
)

// Status is the state of a run.
type Status string

// The states of a run.
const (
	StatusUnknown   Status = "unknown"
	StatusRunning   Status = "running"
	StatusPaused    Status = "paused"
	StatusCompleted Status = "completed"
	StatusFailed    Status = "failed"
	StatusCancelled Status = "cancelled"
	StatusAwaiting  Status = "awaiting_answer"
)

// Statuses lists what a run's status may be.
func Statuses() []Status {
	return []Status{StatusRunning, StatusPaused, StatusAwaiting, StatusCompleted, StatusFailed, StatusCancelled, StatusUnknown}
}

// A Run is one recorded execution. It is complete and read-only once its reader
// has returned it. Its texts can be read until its source is closed.
type Run struct {
	ID, Title string
	Source    string // path as the user gave it
	Format    string // name of the family that read it
	Status    Status
	// Pipeline is the workflow or prompt the run is one of, Agent who ran it; ""
	// where the record names none.
	Pipeline, Agent string
	StartedAt       Time
	EndedAt         Time
	Threads         []*Thread
	Documents       []Document
	Warnings        []Warning
	Records         Records
	// Usage is set where the run's own total is better evidence than the sum
	// over its calls; nil otherwise.
	Usage *Usage
	// Partial says that only the head of the source was read so far.
	Partial bool
	// Snapshots are the times at which the record holds the run, in its order; nil
	// where it holds it once. Number n, from 1, opens as "<id>@n".
	Snapshots []Snapshot
	// Dialect says what the Origin of each message is, where it is a message of
	// a provider's own form.
	Dialect Dialect

	Bodies Bodies
}

// A Snapshot says what the record holds of a run at one time.
type Snapshot struct {
	At                   Time
	Messages, ToolEvents int
	Shown                bool // it is what the run shows
}

// Dialect is the provider form of the records of a run.
type Dialect uint8

// The dialects.
const (
	OwnDialect  Dialect = iota // a form of the program that wrote the record
	ChatDialect                // OpenAI chat messages
)

// A Document is anything of a run that is no message: slices, logs, spans,
// configuration, files, raw records.
type Document struct {
	Name  string
	Kind  string
	Bytes int64
	Body  Ref
	// More are further pieces, each on a line of its own: the other records of
	// a kind that one document gathers.
	More []Ref
}

// Records accounts for every record read: Read is the sum of the others.
type Records struct {
	Read, Messages, Documents, Opaque, Torn, Skipped int
}

// Lost reports whether anything was not understood whole.
func (r Records) Lost() bool { return r.Opaque+r.Torn+r.Skipped > 0 }

// Body returns the text behind ref.
func (r *Run) Body(ref Ref) (string, error) {
	if ref.None() || r.Bodies == nil {
		return "", nil
	}
	return r.Bodies.Body(ref)
}

// Where says for a person where ref stands.
func (r *Run) Where(ref Ref) string {
	if ref.None() || r.Bodies == nil {
		return ""
	}
	return r.Bodies.Where(ref)
}

// Place is Where with the line of the file, where there is one: "a.jsonl, line 7, byte
// 530, 41 bytes". It may read the file up to there.
func (r *Run) Place(ref Ref) string {
	where := r.Where(ref)
	lines, ok := r.Bodies.(interface{ Line(ref Ref) int })
	if where == "" || !ok {
		return where
	}
	if n := lines.Line(ref); n > 0 {
		file, rest, _ := strings.Cut(where, ", ")
		return fmt.Sprintf("%s, line %d, %s", file, n, rest)
	}
	return where
}

// Text returns the text parts of m, joined by newlines.
func (r *Run) Text(m *Message) (string, error) { return r.join(m, Text) }

// Thinking returns the readable thinking of m, joined by newlines.
func (r *Run) Thinking(m *Message) (string, error) { return r.join(m, Thinking) }

func (r *Run) join(m *Message, k PartKind) (string, error) {
	var texts []string
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind != k || p.Sealed {
			continue
		}
		text, err := r.Body(p.Body)
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "\n"), nil
}

// TotalUsage is the run's usage: its own total, else the sum over its calls.
func (r *Run) TotalUsage() Usage {
	if r.Usage != nil {
		return *r.Usage
	}
	var sum Usage
	for _, t := range r.Threads {
		for i := range t.Calls {
			sum.Add(t.Calls[i].Usage)
		}
	}
	return sum
}

// Models lists the distinct models of the calls, in order of first use.
func (r *Run) Models() []string {
	seen := map[string]bool{}
	var models []string
	for _, t := range r.Threads {
		for i := range t.Calls {
			if m := t.Calls[i].Model; m != "" && !seen[m] {
				seen[m] = true
				models = append(models, m)
			}
		}
	}
	return models
}

// Counts sums over the threads of a run.
type Counts struct {
	Threads, Messages, ToolCalls, Pending, Calls int
}

// Counts counts over all threads.
func (r *Run) Counts() Counts {
	c := Counts{Threads: len(r.Threads)}
	for _, t := range r.Threads {
		c.Messages += t.Len()
		c.ToolCalls += t.ToolCalls()
		c.Pending += len(t.Pending())
		c.Calls += len(t.Calls)
	}
	return c
}

// MainThread picks the thread a person means when they name none: the newest
// without a parent that has provider calls, else the newest without a parent,
// else the first. It is nil when the run has no thread.
func (r *Run) MainThread() *Thread {
	var best *Thread
	for _, t := range r.Threads {
		if t.ParentID != "" {
			continue
		}
		switch {
		case best == nil, len(best.Calls) == 0 && len(t.Calls) > 0:
			best = t
		case len(best.Calls) > 0 && len(t.Calls) == 0:
		case t.started() >= best.started():
			best = t
		}
	}
	if best == nil && len(r.Threads) > 0 {
		best = r.Threads[0]
	}
	return best
}

// ThreadsNamed are the threads a person may mean by a name: the one with that id, else all
// whose ids begin so, else all whose titles do, in either case of their letters. It is
// one where the name says which, and none where nothing begins so or the name is empty.
func (r *Run) ThreadsNamed(name string) []*Thread {
	var ids, titles []*Thread
	if name == "" {
		return nil
	}
	for _, t := range r.Threads {
		switch {
		case t.ID == name:
			return []*Thread{t}
		case strings.HasPrefix(t.ID, name):
			ids = append(ids, t)
		case strings.HasPrefix(strings.ToLower(t.Title), strings.ToLower(name)):
			titles = append(titles, t)
		}
	}
	if ids != nil {
		return ids
	}
	return titles
}

func (t *Thread) started() Time {
	for i := range t.Len() {
		if at := t.msgs.At(int32(i)).At; at != 0 {
			return at
		}
	}
	return 0
}
