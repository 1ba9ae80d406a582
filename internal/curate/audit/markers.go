package audit

import (
	"context"
	"fmt"

	"agentlens/internal/model"
)

// callOf returns the number of the first call after a marker. It is one more than the number
// of calls if none follows.
func (th *thread) callOf(m *model.Marker) int { return th.t.CallAfter(m.After) }

// detail returns a number of a marker, or -1.
func detail(m *model.Marker, key string) int64 {
	for _, d := range m.Detail {
		switch v := d.Value.(type) {
		case int64:
			if d.Key == key && v >= 0 {
				return v
			}
		case float64:
			if d.Key == key && v >= 0 && v < 1e15 {
				return int64(v)
			}
		}
	}
	return -1
}

func words(m *model.Marker, key string) string {
	for _, d := range m.Detail {
		if s, ok := d.Value.(string); ok && d.Key == key {
			return s
		}
	}
	return ""
}

// compactions finds the recorded compactions, one finding each.
func compactions(_ context.Context, th *thread) ([]Finding, error) {
	var list []Finding
	ends := th.ends()
	seen := map[int]int{}
	for i := range th.t.Markers {
		m := &th.t.Markers[i]
		if m.Kind != model.Compaction {
			continue
		}
		n := th.callOf(m)
		f := Finding{Certainty: Recorded, first: n, Title: "compaction"}
		if trigger := words(m, "trigger"); trigger != "" {
			f.Title = fmt.Sprintf("compaction (%s)", trigger)
		}
		if n <= len(th.t.Calls) {
			f.Calls = []int{n}
			f.Title += fmt.Sprintf(" before call %d", n)
		} else {
			f.Title += " after the last call"
		}
		if n <= len(th.t.Calls) && th.rec.Has(n) && n > 1 && ends[n-1].messages > 0 {
			dropped, size := ends[n-1].messages, ends[n-1].tokens
			f.Tokens, f.Certainty = &size, Estimated
			f.Title += fmt.Sprintf(" dropped %s, about %s tokens", count(dropped, "message"), short(size))
		} else if before := detail(m, "pre_tokens"); before >= 0 {
			f.Tokens = &before
			f.Title += fmt.Sprintf(" of a context of %s tokens", short(before))
		}
		if n <= len(th.t.Calls) && !th.rec.Has(n) {
			f.Title += "; the record does not say what it dropped"
		}
		if before, after, ok := th.aroundCall(n); ok {
			f.Brief = fmt.Sprintf("%s; prompt %s → %s", f.Title, short(before), short(after))
			f.Title += fmt.Sprintf("; the prompt went from %s to %s", short(before), short(after))
		}
		if seen[n]++; seen[n] > 1 {
			f.suffix = fmt.Sprintf("-%d", seen[n])
		}
		e := Evidence{Message: model.Some(m.After), At: m.Origin, Note: "the compaction in the record"}
		if n <= len(th.t.Calls) {
			e.Call = n
		}
		f.Evidence = []Evidence{e}
		list = append(list, f)
	}
	return list, nil
}

// aroundCall returns the counted prompts of the call before n and of n.
func (th *thread) aroundCall(n int) (before, after int64, ok bool) {
	if n < 2 || n > len(th.t.Calls) {
		return 0, 0, false
	}
	before, known := th.t.Calls[n-2].Usage.Prompt()
	after, also := th.t.Calls[n-1].Usage.Prompt()
	return before, after, known && also && before > 0 && after > 0 && before <= maxPrompt && after <= maxPrompt
}

// An end sums the messages that were in the view of a call and not in the next one.
type end struct {
	messages int
	tokens   int64
}

// ends returns the sums for each call, by its number.
func (th *thread) ends() []end {
	ends := make([]end, len(th.t.Calls)+1)
	for _, spans := range th.lives {
		for j, s := range spans {
			if j+1 == len(spans) || spans[j+1].From > s.To+1 {
				ends[s.To].messages++
				ends[s.To].tokens += int64(s.Tokens)
			}
		}
	}
	return ends
}

// unrecordedEdits finds the prompts that fell without a recorded reason, as one finding.
func unrecordedEdits(_ context.Context, th *thread) ([]Finding, error) {
	f := Finding{Certainty: Counted, Tokens: tokens(0)}
	for i := range th.t.Markers {
		m := &th.t.Markers[i]
		n := th.callOf(m)
		if m.Kind != model.UnrecordedEdit || n > len(th.t.Calls) {
			continue
		}
		before, after := detail(m, "before"), detail(m, "after")
		less := max(0, before-after)
		*f.Tokens = plus(*f.Tokens, less)
		f.Calls = append(f.Calls, n)
		e := th.callPlace(n, fmt.Sprintf("the prompt went from %s to %s tokens", short(before), short(after)))
		f.Evidence = append(f.Evidence, e)
	}
	if len(f.Calls) == 0 {
		return nil, nil
	}
	f.Title = fmt.Sprintf("the prompt shrank %s by %s tokens in all, and the record does not show what was removed", times(len(f.Calls)), short(*f.Tokens))
	if len(f.Calls) == 1 {
		f.Title = fmt.Sprintf("the prompt shrank by %s tokens, and the record does not show what was removed", short(*f.Tokens))
	}
	return []Finding{f}, nil
}

// beginnings finds a record that begins mid-way.
func beginnings(_ context.Context, th *thread) ([]Finding, error) {
	for i := range th.t.Markers {
		m := &th.t.Markers[i]
		if m.Kind != model.BeginsMidway {
			continue
		}
		f := Finding{Certainty: Recorded, first: 1, Title: "the record begins mid-way: earlier messages are not in it"}
		if n := detail(m, "first_prompt"); n >= 0 {
			f.Tokens, f.Certainty = &n, Counted
			f.Title += fmt.Sprintf(", but the first prompt has %s tokens", short(n))
		}
		e := Evidence{At: m.Origin, Note: "the first message of the record"}
		if th.t.Len() > 0 {
			e.Message, e.At = model.Some(0), th.at(0)
		}
		if len(th.t.Calls) > 0 {
			f.Calls, e.Call = []int{1}, 1
		}
		f.Evidence = []Evidence{e}
		return []Finding{f}, nil
	}
	return nil, nil
}
