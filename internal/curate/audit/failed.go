package audit

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"agentlens/internal/curate/money"
	"agentlens/internal/model"
	"agentlens/internal/threads"
)

// mostEvidence limits the evidence of a finding that sums up many places.
const mostEvidence = 50

// failedCalls finds failed tool calls and recorded errors, as one finding.
func failedCalls(_ context.Context, th *thread) ([]Finding, error) {
	f := Finding{Certainty: Recorded}
	failed, left, declined := 0, 0, 0
	var open, tried []Evidence
	var first *use // the first that failed
	var chief chief
	spent := 0.0 // on sending the results of those that failed
	retried := th.retried()
	for k := range th.tools {
		u := &th.tools[k]
		if !u.failed {
			continue
		}
		at := u.result.Or(u.message)
		e := th.place(u.call, at, u.naming())
		f.addPlace(u.call, at)
		if no, err := th.declined(at); err != nil {
			return nil, err
		} else if no {
			declined++
			continue
		}
		if failed++; first == nil {
			first = u
			chief.first(u.call, "call "+fmt.Sprint(u.call)+": "+u.brief(), threads.TimeAt(th.t, at))
		}
		if i, ok := u.result.Get(); ok {
			dollars, _ := th.carried(i, false)
			spent += dollars
		}
		if retried[k] {
			e.Note += ": failed, and tried again"
			tried = append(tried, e)
			continue
		}
		left++
		e.Note += ": failed, and not tried again"
		open = append(open, e)
	}
	errors := 0
	for i := range th.t.Markers {
		m := &th.t.Markers[i]
		if m.Kind != model.ErrorMarker || refusal(m) {
			continue
		}
		errors++
		e := Evidence{Message: model.Some(m.After), At: m.Origin, Note: "error: " + oneLine(message(m), 120)}
		chief.first(min(th.callOf(m), len(th.t.Calls)), e.Note, cmp.Or(m.At, threads.TimeAt(th.t, m.After)))
		if n := th.callOf(m); n > len(th.t.Calls) {
			left++
			open = append(open, e)
		} else {
			f.addPlace(n, -1)
			e.Call = n
			tried = append(tried, e)
		}
	}
	if failed+errors == 0 {
		return nil, nil
	}
	if left > 0 {
		f.share = notRetried
	}
	f.Title = failureTitle(failed, errors, left, declined)
	f.Brief = failureBrief(failureTitle(failed, errors, left, 0), failed, first) + th.spending(spent)
	f.Evidence = append(open, tried...)
	f.Evidence = f.Evidence[:min(len(f.Evidence), mostEvidence)]
	f.chief = &chief
	return []Finding{f}, nil
}

func failureTitle(failed, errors, left, declined int) string {
	var parts []string
	if failed > 0 {
		parts = append(parts, count(failed, "tool call")+" failed")
	}
	if errors > 0 {
		parts = append(parts, count(errors, "error")+" recorded")
	}
	title := strings.Join(parts, ", ")
	switch {
	case left == 0 && failed+errors == 1:
		title += ", and it was tried again later"
	case left == 0:
		title += ", all tried again later"
	case left == failed+errors && left == 1:
		title += " and was not tried again"
	case left == failed+errors:
		title += ", none tried again"
	default:
		title += fmt.Sprintf(", %d not tried again", left)
	}
	if declined > 0 {
		title += fmt.Sprintf("; a person declined %d more", declined)
	}
	return title
}

// spending describes what it cost to send results with later prompts, or "" if the prices are unknown.
func (th *thread) spending(dollars float64) string {
	for i := range th.rates {
		if !th.rates[i].known {
			return ""
		}
	}
	if amount := money.AmountOf(dollars); amount > 0 {
		return "; sending the results cost " + money.Sum{Amount: amount, Estimated: 1}.String()
	}
	return ""
}

// failureBrief adds the first failed tool call to a title.
func failureBrief(title string, failed int, first *use) string {
	switch {
	case first == nil:
		return title
	case failed == 1:
		return fmt.Sprintf("%s; call %d: %s", title, first.call, first.brief())
	}
	return fmt.Sprintf("%s; the first at call %d: %s", title, first.call, first.brief())
}

// addPlace adds a call and a message to a finding. Calls arrive in ascending order, except
// those of markers.
func (f *Finding) addPlace(call, message int) {
	if n := len(f.Calls); call > 0 && (n == 0 || f.Calls[n-1] != call) {
		f.Calls = append(f.Calls, call)
	}
	if message >= 0 {
		f.Messages = append(f.Messages, message)
	}
}

// retried reports for each tool call whether a later one has the same subject: the same tool, and the same
// file or one of the same programs.
func (th *thread) retried() []bool {
	again := make([]bool, len(th.tools))
	type key struct{ tool, object string }
	later := map[key]bool{}
	for k := len(th.tools) - 1; k >= 0; k-- {
		u := &th.tools[k]
		objects := u.programs
		if len(objects) == 0 {
			objects = []string{u.object}
		}
		for _, object := range objects {
			again[k] = again[k] || later[key{u.tool, object}]
		}
		for _, object := range objects {
			later[key{u.tool, object}] = true
		}
	}
	return again
}

// declined reports whether a failed result says that a person refused the call.
func (th *thread) declined(i int) (bool, error) {
	m := th.t.At(i)
	if m.Role != model.Tool || m.StoredBytes() > 4096 {
		return false, nil
	}
	text, err := th.run.Text(m)
	if err != nil {
		return false, fmt.Errorf("result in message %d: %w", i+1, err)
	}
	for _, beginning := range [...]string{"The user doesn't want to", "[Request interrupted by user", "User rejected", "User declined"} {
		if strings.HasPrefix(text, beginning) {
			return true, nil
		}
	}
	return false, nil
}

// message returns the words of an error marker.
func message(m *model.Marker) string {
	for _, key := range [...]string{"message", "what", "error", "text"} {
		if s := words(m, key); s != "" {
			return s
		}
	}
	return "no message"
}
