package resume

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentlens/internal/curate/lint"
	"agentlens/internal/model"
)

// Filtered is what the specification sends on resume: of every reply the calls
// whose recorded status is "completed", and all results.
type Filtered struct {
	// Out lists the calls it leaves out though they were answered.
	Out []LeftOut
	// Problems are what the providers say to that.
	Problems []model.Problem
}

// A LeftOut is a call that the status filter leaves out.
type LeftOut struct {
	Index    int // message of the thread
	ID, Name string
	Status   string // as recorded
	Answered bool   // its result is in the thread, and is sent
}

// Differs reports whether an answered call is left out, so that the request is
// another than the one lens shows.
func (f *Filtered) Differs() bool {
	return slices.ContainsFunc(f.Out, func(o LeftOut) bool { return o.Answered })
}

// filter applies the status filter to a view; nil where no call has a status.
func filter(run *model.Run, t *model.Thread, view *model.View, window int64, providers []string) (*Filtered, error) {
	f := &Filtered{}
	filtered := *view
	filtered.Entries = slices.Clone(view.Entries)
	statuses := 0
	var bare []int // replies left with an empty list of calls, by their place in the request
	place := -1
	for i := range filtered.Entries {
		e := &filtered.Entries[i]
		if e.Fate == model.WasDropped {
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
		f.Problems = append(f.Problems, emptyLists(p, t, &filtered, bare)...)
	}
	found, err := check(run, t, &filtered, window, providers)
	f.Problems = append(f.Problems, found...)
	return f, err
}

// calls leaves an entry the calls whose status is "completed", and says how many.
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

// emptyLists says what a provider says to replies with an empty list of calls,
// which is what the filter makes of a reply none of whose calls is completed; places
// are theirs in the request, in order.
func emptyLists(provider string, t *model.Thread, v *model.View, places []int) []model.Problem {
	const id = "empty-calls-array"
	all := lint.Rules()
	i := slices.IndexFunc(all, func(r lint.Rule) bool { return r.ID == id })
	if i < 0 || all[i].Texts[provider] == "" {
		return nil
	}
	var found []model.Problem
	place := -1
	for _, e := range v.Entries {
		if e.Fate == model.WasDropped {
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

// recordedStatus reads the status of the calls of a message off its record, by
// call id; nil where the record gives none.
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

// check is what the providers would refuse in a view.
func check(run *model.Run, t *model.Thread, v *model.View, window int64, providers []string) ([]model.Problem, error) {
	return lint.New(run, t, window).CheckEach(v, providers)
}
