package resume

import "agentlens/internal/model"

// A State is what happens next when a thread is resumed.
type State uint8

// The states.
const (
	// AskModel means that the model is asked next.
	AskModel State = iota
	// RunCalls means that calls without a result run before the model is asked.
	RunCalls
	// WaitForPerson means that a person answers before the model is asked.
	WaitForPerson
	// TurnComplete means that the last reply makes no call, so the next message is a new
	// request.
	TurnComplete
	// Complete means that the run or the evaluation is over and nothing is left to resume.
	Complete
)

var stateNames = [...]string{"ask_model", "run_calls", "wait_for_person", "turn_complete", "complete"}

func (s State) String() string { return stateNames[s] }

// A Wait describes since when a thread waits for a person.
type Wait struct {
	Since model.Time // 0 if the record has no time
	// From is the source of Since: "pause", "status" or "last message"; "" if there is none.
	From string
	// Question is what the agent asked, if it is recorded with the pause.
	Question string
}

// stateOf returns the state of a thread, given its calls without a result. A recorded status
// decides before the messages do.
func stateOf(run *model.Run, t *model.Thread, paused *model.Marker, pending []Pending) (State, *Wait) {
	waits := paused != nil || run.Status == model.StatusAwaiting || run.Status == model.StatusPaused
	switch {
	case waits:
		return WaitForPerson, waitOf(run, t, paused)
	case run.Status == model.StatusCompleted:
		return Complete, nil
	case len(pending) > 0:
		return RunCalls, nil
	case !endsWithAnswer(t):
		return AskModel, nil
	case t.Kind == evaluation:
		return Complete, nil
	}
	return TurnComplete, nil
}

// waitOf returns the wait of a paused thread.
func waitOf(run *model.Run, t *model.Thread, paused *model.Marker) *Wait {
	w := &Wait{}
	if paused != nil {
		for _, d := range paused.Detail {
			if text, ok := d.Value.(string); ok && d.Key == "message" {
				w.Question = text
			}
		}
		if w.Since, w.From = paused.At, "pause"; w.Since != 0 {
			return w
		}
	}
	if w.Since, w.From = run.StatusAt, "status"; w.Since != 0 {
		return w
	}
	for i := t.Len() - 1; i >= 0; i-- {
		if at := t.At(i).At; at != 0 {
			w.Since, w.From = at, "last message"
			return w
		}
	}
	w.From = ""
	return w
}

// endsWithAnswer reports whether the last message is a reply without calls. Messages that a
// program injected after it, such as reminders, do not count.
func endsWithAnswer(t *model.Thread) bool {
	for i := t.Len() - 1; i >= 0; i-- {
		m := t.At(i)
		switch {
		case m.Role == model.Assistant:
			return len(m.Calls) == 0 || m.Calls[len(m.Calls)-1].Server
		case m.Role != model.System && !m.Badges.Has(model.Injected):
			return false
		}
	}
	return false
}
