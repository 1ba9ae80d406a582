package lint

import (
	"bytes"
	"encoding/json"
	"slices"

	"agentlens/internal/model"
)

// A link is the call that a result answers, among those sent: the step of its
// message, and its place there; ok is false where there is none.
type link struct {
	head, call int
	ok         bool
}

// pair links the results to the calls sent, as their thread links them, since ids
// may be used again.
func (r *request) pair() {
	type result struct{ head, index int }
	type id struct {
		head int
		text string
	}
	byResult, byID := map[result]int{}, map[id]int{}
	for i := range r.steps {
		s := &r.steps[i]
		for _, j := range slices.Backward(s.calls) { // of two the first counts
			c := &s.m.Calls[j]
			byID[id{i, c.ID}] = j
			if n, ok := c.Result.Get(); ok {
				byResult[result{i, n}] = j
			}
		}
	}
	r.links, r.answers = make([]link, len(r.steps)), map[link][]int{}
	for i := range r.steps {
		s := &r.steps[i]
		if !s.result() || s.m.Group < 0 {
			continue
		}
		head, sent := r.place[int(s.m.Group)]
		if !sent {
			continue
		}
		j, ok := byResult[result{head, s.index}]
		if !ok || s.index < 0 {
			j, ok = byID[id{head, s.m.CallID}]
			ok = ok && s.m.CallID != ""
		}
		if ok {
			r.links[i] = link{head, j, true}
			r.answers[r.links[i]] = append(r.answers[r.links[i]], i)
		}
	}
}

// needsID reports whether a result lacks the id that the interface pairs by: the
// rule pairing-not-recorded says so, and no other.
func (r *request) needsID(s *step) bool { return s.m.CallID == "" && r.name != gemini }

func orphans(r *request) []fault {
	var found []fault
	block := 0 // place of a result among those of its message
	for i := range r.steps {
		s := &r.steps[i]
		if block++; i == 0 || !r.steps[i-1].result() || r.steps[i-1].at != s.at {
			block = 0
		}
		if s.result() && !r.needsID(s) && !r.links[i].ok {
			found = append(found, fault{index: s.index, at: s.at, with: block, ids: []string{s.m.CallID}})
		}
	}
	return found
}

func unlinked(r *request) []fault {
	var found []fault
	for i := range r.steps {
		if s := &r.steps[i]; s.result() && s.m.CallID == "" {
			found = append(found, fault{index: s.index, at: s.at})
		}
	}
	return found
}

// calls goes through the messages with calls and reports, for each, the ids of the
// calls for which bad holds of their results.
func (r *request) calls(bad func(head int, results []int) bool) []fault {
	var found []fault
	for i := range r.steps {
		s := &r.steps[i]
		var ids []string
		for _, j := range s.calls {
			if bad(i, r.answers[link{i, j, true}]) {
				ids = append(ids, s.m.Calls[j].ID)
			}
		}
		if len(ids) > 0 {
			found = append(found, fault{index: s.index, at: s.at, ids: ids})
		}
	}
	return found
}

func unanswered(r *request) []fault {
	return r.calls(func(_ int, results []int) bool { return len(results) == 0 })
}

// apart finds calls that are answered, but not in the results right behind them.
func apart(r *request) []fault {
	end := -1 // behind the results that follow the message at hand
	last := -1
	return r.calls(func(head int, results []int) bool {
		if head != last {
			last, end = head, r.behind(head)
		}
		for _, i := range results {
			if i > head && i < end {
				return false
			}
		}
		return len(results) > 0
	})
}

// behind is the step behind the results that follow the message at step i. A
// system message that stands apart does not come between; nor do further replies
// where an interface makes one message of them.
func (r *request) behind(i int) int {
	for i++; i < len(r.steps); i++ {
		s := &r.steps[i]
		if !s.result() && s.at >= 0 {
			return i
		}
	}
	return i
}

func duplicates(r *request) []fault {
	var found []fault
	for i := range r.steps {
		s := &r.steps[i]
		if all := r.answers[r.links[i]]; r.links[i].ok && all[0] != i {
			found = append(found, fault{index: s.index, at: s.at, with: r.steps[all[0]].at, ids: []string{s.m.CallID}})
		}
	}
	return found
}

func emptyCalls(r *request) []fault {
	var found []fault
	for i := range r.steps {
		if s := &r.steps[i]; s.emptyCalls {
			found = append(found, fault{index: s.index, at: s.at})
		}
	}
	return found
}

// emptyCalls reports whether a chat message is recorded with an empty list of calls.
func (l *Linter) emptyCalls(m *model.Message) (bool, error) {
	if l.run.Dialect != model.ChatDialect || m.Role != model.Assistant || len(m.Calls) > 0 || len(m.Origin) != 1 {
		return false, nil
	}
	raw, err := l.run.Body(m.Origin[0])
	if err != nil {
		return false, err
	}
	var o struct {
		Calls json.RawMessage `json:"tool_calls"`
	}
	if json.Unmarshal([]byte(raw), &o) != nil {
		return false, nil // it was read all the same: its form is not that of the interface
	}
	calls := bytes.Join(bytes.Fields(o.Calls), nil)
	return string(calls) == "[]", nil
}

func emptyContent(r *request) []fault {
	var found []fault
	for i := range r.steps {
		s := &r.steps[i]
		final := i == len(r.steps)-1 && s.role == model.Assistant && r.name == anthropic
		if s.empty && s.at >= 0 && !s.result() && !final {
			found = append(found, fault{index: s.index, at: s.at})
		}
	}
	return found
}

func firstIsCall(r *request) []fault {
	for i := range r.steps {
		s := &r.steps[i]
		if s.at < 0 {
			continue
		}
		if len(s.calls) > 0 {
			return []fault{{index: s.index, at: s.at}}
		}
		return nil
	}
	return nil
}

// endsWithModel judges requests that were made: what comes after the record is
// not known, and nothing is sent before a user or a tool speaks.
func endsWithModel(r *request) []fault {
	if len(r.steps) == 0 || !r.made {
		return nil
	}
	s := &r.steps[len(r.steps)-1]
	if s.role != model.Assistant || len(s.calls) > 0 { // calls without results: another rule
		return nil
	}
	return []fault{{index: s.index, at: s.at}}
}

func overWindow(r *request) []fault {
	if r.window == 0 || r.view.Curated.Tokens <= r.window {
		return nil
	}
	return []fault{{index: -1, tokens: r.view.Curated.Tokens, window: r.window}}
}
