// Package resume says how an interrupted conversation would go on: which
// evaluation is continued, which calls wait for a result, what number comes next
// and which messages would be sent.
//
// It follows the resume flow of the inner-messages specification, but for one
// rule: a call is done when its result is there, whatever status the record
// gives it. What the specification's own filter by status would send is worked
// out beside it, with the errors that follow.
//
// It must never run a call, nor tell of a message what the record does not hold.
package resume

import (
	"fmt"

	"agentlens/internal/model"
)

// An Error is one of the specification's reasons not to resume.
type Error struct {
	Name    string // ConversationNotFound, PromptMismatch, SnapshotRestoreError
	Message string // what is wrong, where, and what to do
}

func (e *Error) Error() string { return e.Name + ": " + e.Message }

// Names of the specification's errors.
const (
	ConversationNotFound = "ConversationNotFound"
	PromptMismatch       = "PromptMismatch"
	SnapshotRestoreError = "SnapshotRestoreError"
)

// evaluation is the kind of the threads that the specification speaks of.
const evaluation = model.ThreadKind("evaluation")

// Latest is the thread that is continued: of evaluations the one whose system
// message is the latest, else the main thread. The error is an [*Error].
func Latest(run *model.Run) (*model.Thread, error) {
	var latest *model.Thread
	var at model.Time
	evaluations := 0
	for _, t := range run.Threads {
		if t.Kind != evaluation || t.ParentID != "" || !numbered(t) {
			continue // a child session is resumed by itself
		}
		evaluations++
		if began, ok := systemAt(t); ok && (latest == nil || began >= at) {
			latest, at = t, began
		}
	}
	switch {
	case latest != nil:
		return latest, nil
	case evaluations > 0:
		return nil, &Error{ConversationNotFound, "no evaluation of the session has a system message, by which the latest is found; start a fresh evaluation, or name one with --thread"}
	case run.Format == "wink":
		return nil, &Error{ConversationNotFound, "the session holds no messages (InnerMessage, ConversationEntry): a conversation told by events alone cannot be resumed; start a fresh evaluation"}
	}
	if t := run.MainThread(); t != nil && t.Len() > 0 {
		return t, nil
	}
	return nil, &Error{ConversationNotFound, "the run holds no messages; start afresh"}
}

// numbered reports whether the messages of a thread were recorded as such, with
// their sequence, and not put together from other events.
func numbered(t *model.Thread) bool {
	for i := range t.Len() {
		if t.At(i).Sequence.Known() {
			return true
		}
	}
	return false
}

// systemAt is the time of the latest system message of a thread, 0 where none is
// recorded. ok says that there is such a message.
func systemAt(t *model.Thread) (at model.Time, ok bool) {
	for i := range t.Len() {
		if m := t.At(i); m.Role == model.System {
			at, ok = max(at, m.At), true
		}
	}
	return at, ok
}

// A Plan is how a thread goes on.
type Plan struct {
	Thread  *model.Thread
	Pending []Pending
	// Paused is the pause that nothing resumed: a person is asked before the model
	// is. Nil where the thread is not paused.
	Paused *model.Marker
	// Sequence is the number of the next message, Turn the latest round trip: the
	// next reply has one more. Both are -1 where the record numbers nothing.
	Sequence, Turn model.Maybe
	// Problems are what the providers would refuse in the messages once the calls
	// that wait at the end are answered.
	Problems []model.Problem
	// Filtered is what the specification would send; nil where the record has no
	// status of calls.
	Filtered *Filtered
}

// A Pending is a call that waits for its result.
type Pending struct {
	Index, Place int // message of the thread, place among its calls
	Call         *model.ToolCall
	// Live says that nothing but results follows: the call can be answered now.
	// A result that comes later than other messages is refused by most providers.
	Live bool
}

// Make makes the plan of a thread whose next request is view. Providers are
// those whose rules are applied.
func Make(run *model.Run, t *model.Thread, view *model.View, window int64, providers []string) (*Plan, error) {
	p := &Plan{Thread: t, Paused: pausedAt(t)}
	last := lastSaid(t)
	awaited := map[int]bool{} // messages whose calls can be answered now
	for i := range t.Len() {
		m := t.At(i)
		p.Sequence, p.Turn = p.Sequence.Max(m.Sequence), p.Turn.Max(m.Turn)
		for j := range m.Calls {
			if m.Calls[j].Pending() {
				p.Pending = append(p.Pending, Pending{Index: i, Place: j, Call: &m.Calls[j], Live: i >= last})
				awaited[i] = i >= last
			}
		}
	}
	if last, ok := p.Sequence.Get(); ok {
		p.Sequence = model.Some(last + 1)
	}
	found, err := check(run, t, view, window, providers)
	if err != nil {
		return nil, err
	}
	for _, f := range found {
		if f.Rule != "unanswered-call" || !awaited[f.Index.Or(t.Len())] {
			p.Problems = append(p.Problems, f)
		}
	}
	p.Filtered, err = filter(run, t, view, window, providers)
	if err != nil {
		return nil, fmt.Errorf("status of the calls: %w", err)
	}
	return p, nil
}

// pausedAt is the last pause of a thread, where nothing resumed it.
func pausedAt(t *model.Thread) *model.Marker {
	var paused *model.Marker
	for i := range t.Markers {
		switch t.Markers[i].Kind {
		case model.Paused:
			paused = &t.Markers[i]
		case model.Resumed:
			paused = nil
		}
	}
	return paused
}

// lastSaid is the last message of a thread that is no result, -1 where there is none.
func lastSaid(t *model.Thread) int {
	i := t.Len() - 1
	for i >= 0 && t.At(i).Role == model.Tool {
		i--
	}
	return i
}
