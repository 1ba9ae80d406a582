package resume

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentlens/internal/curate/lint"
	"agentlens/internal/model"
)

// Filtered describes the request that the specification sends on resume: all results, but
// only those calls whose recorded status is "completed".
type Filtered struct {
	// Out lists the calls that the filter omits.
	Out []LeftOut
	// Problems lists the problems that providers would report for that request.
	Problems []model.Problem
}

// A LeftOut is a call that the status filter omits.
type LeftOut struct {
	Index    int // message of the thread
	ID, Name string
	Status   string // as recorded
	Answered bool   // its result is in the thread and is sent
}

// Differs reports whether the filter omits an answered call. If so, the filtered request
// differs from the one that lens shows.
func (f *Filtered) Differs() bool {
	return slices.ContainsFunc(f.Out, func(o LeftOut) bool { return o.Answered })
}

// filter applies the status filter to a view. It returns nil if no call has a status.
func filter(run *model.Run, t *model.Thread, view *model.View, window int64, providers []string) (*Filtered, error) {
	f := &Filtered{}
	filtered := *view
	filtered.Entries = slices.Clone(view.Entries)
	statuses := 0
	var bare []int // positions of replies whose list of calls is now empty
	place := -1
	for i := range filtered.Entries {
		e := &filtered.Entries[i]
		if !e.Sent() {
			continue
		}
		place++
		if e.Index < 0 || len(t.At(int(e.Index)).Calls) == 0 {
			continue
		}
		status, err := recordedStatus(run, t.At(int(e.Index)))
		if err != nil {
			return nil, err
		}
		statuses += len(status)
		if len(status) > 0 && f.calls(t, e, status) == 0 {
			bare = append(bare, place)
		}
	}
	if statuses == 0 {
		return nil, nil
	}
	for _, p := range providers {
		f.Problems = append(f.Problems, emptyLists(p, &filtered, bare)...)
	}
	found, err := lint.New(run, t, window).CheckEach(&filtered, providers)
	f.Problems = append(f.Problems, found...)
	return f, err
}

// calls keeps only the calls of an entry whose status is "completed" and returns their
// number.
func (f *Filtered) calls(t *model.Thread, e *model.Entry, status map[string]string) int {
	m := t.At(int(e.Index))
	left := []int{}
	for j := range m.Calls {
		c := &m.Calls[j]
		if status[c.ID] == "completed" {
			left = append(left, j)
			continue
		}
		f.Out = append(f.Out, LeftOut{int(e.Index), c.ID, c.Name, status[c.ID], c.Result.Known()})
	}
	e.Calls, e.Fate = left, model.WasChanged
	return len(left)
}

// emptyLists returns the problems a provider reports for replies with an empty list of
// calls. The filter produces such a list when no call of a reply is completed. places holds
// the sorted positions of such replies in the request.
func emptyLists(provider string, v *model.View, places []int) []model.Problem {
	const id = "empty-calls-array"
	all := lint.Rules()
	i := slices.IndexFunc(all, func(r lint.Rule) bool { return r.ID == id })
	if i < 0 || all[i].Texts[provider] == "" {
		return nil
	}
	var found []model.Problem
	place := -1
	for _, e := range v.Entries {
		if !e.Sent() {
			continue
		}
		place++
		if _, bare := slices.BinarySearch(places, place); bare {
			text := strings.ReplaceAll(all[i].Texts[provider], "{at}", fmt.Sprint(place))
			found = append(found, model.Problem{Rule: id, Provider: provider, Index: model.Some(e.Index), Message: text})
		}
	}
	return found
}

// recordedStatus returns the recorded status of the calls of a message by call id, or nil
// if there is none.
func recordedStatus(run *model.Run, m *model.Message) (map[string]string, error) {
	if len(m.Origin) != 1 {
		return nil, nil
	}
	raw, err := run.Body(m.Origin[0])
	if err != nil {
		return nil, err
	}
	var record struct {
		Calls []struct {
			ID     string `json:"call_id"`
			Status string `json:"status"`
		} `json:"tool_calls"`
	}
	if json.Unmarshal([]byte(raw), &record) != nil {
		return nil, nil // a record of another form
	}
	var status map[string]string
	for _, c := range record.Calls {
		if c.ID == "" || c.Status == "" {
			continue
		}
		if status == nil {
			status = map[string]string{}
		}
		status[c.ID] = c.Status
	}
	return status, nil
}
