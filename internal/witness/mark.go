package witness

import (
	"cmp"
	"slices"

	"agentlens/internal/model"
)

// unexplainedHead is the number of tokens of a first prompt that no system prompt and no
// tools explain. Complete Claude Code sessions begin with 24,000 to 55,000 tokens.
const unexplainedHead = 100_000

// midway is the note of a call that was sent messages which the record lacks.
const midway = "the record begins mid-way: what was sent before its first compaction is not in it"

// Mark sets the state of every prompt of a run and the verdict on its basis. It adds a
// marker where a prompt fell without a recorded reason, and withdraws the basis of calls
// that were sent messages from before the record begins.
func Mark(r *model.Run) {
	for _, t := range r.Threads {
		markThread(t)
	}
}

func markThread(t *model.Thread) {
	all := steps(t)
	if i := missingHead(t, all); i >= 0 {
		t.Markers = slices.Insert(t.Markers, 0, model.Marker{
			Kind: model.BeginsMidway, After: model.ThreadStart, At: t.Calls[i].At, Origin: t.Calls[i].Evidence,
			Detail: []model.Detail{{Key: "first_prompt", Value: all[0].prompt}},
		})
	}
	begins := withdraw(t)
	rate := perByte(all)
	contradicted, next := false, 0
	for k := range t.Calls {
		c := &t.Calls[k]
		if next < len(all) && all[next].call == k {
			s := &all[next]
			next++
			c.State = s.state(rate)
			contradicted = c.State == model.PromptFell || contradicted && !s.restarted
			if c.State == model.PromptFell {
				t.Markers = append(t.Markers, fall(c, s))
			}
		}
		switch {
		case contradicted:
			c.Witnessed = model.Contradicted
		case c.State != model.PromptUnknown && c.Given >= begins:
			c.Witnessed = model.Confirmed
		case counted(c) > 0:
			c.Witnessed = model.Undecided
		}
	}
	slices.SortStableFunc(t.Markers, func(a, b model.Marker) int { return cmp.Compare(a.After, b.After) })
}

// fall returns the marker of a prompt that fell.
func fall(c *model.Call, s *step) model.Marker {
	return model.Marker{
		Kind: model.UnrecordedEdit, After: c.Given - 1, At: c.At, Origin: c.Evidence,
		Detail: []model.Detail{{Key: "before", Value: s.was}, {Key: "after", Value: s.prompt}},
	}
}

// state returns the relation of a counted prompt to the previous one.
func (s *step) state(perByte float64) model.PromptState {
	switch {
	case s.before < 0:
		return model.PromptFirst
	case s.restarted:
		return model.PromptRestarted
	case s.covers() && !s.fell():
		return model.PromptAppended
	case s.change != noChange && s.prompt < s.was:
		return model.PromptRestarted
	case s.fell():
		return model.PromptFell
	case s.grew(perByte):
		return model.PromptAppended
	}
	return model.PromptUnknown
}

// missingHead returns the index of the first counted call if the messages of the record
// cannot explain its prompt, and -1 otherwise.
func missingHead(t *model.Thread, all []step) int {
	if len(all) == 0 || len(t.Markers) > 0 && t.Markers[0].Kind == model.BeginsMidway {
		return -1
	}
	c := &t.Calls[all[0].call]
	if c.Basis == model.Recorded || c.GivenList() != nil {
		return -1
	}
	var stored int64
	for i := range min(c.Given, t.Len()) {
		stored += t.At(i).StoredBytes()
		for _, p := range t.At(i).Parts {
			if p.Kind == model.Image || p.Kind == model.File {
				return -1 // the bytes of an attachment say nothing about its tokens
			}
		}
	}
	if all[0].prompt-stored > unexplainedHead { // a token has at least one byte
		return all[0].call
	}
	return -1
}

// withdraw makes the calls before the first restart of a thread that begins mid-way "not
// recorded". It returns the number of messages that the first call after them was given.
func withdraw(t *model.Thread) (begins int) {
	if !slices.ContainsFunc(t.Markers, func(m model.Marker) bool { return m.Kind == model.BeginsMidway }) {
		return 0
	}
	begins = t.Len() + 1
	for i := range t.Edits {
		if t.Edits[i].Kind == model.Restart {
			begins = t.Edits[i].After + 1
			break
		}
	}
	for i := range t.Calls {
		if c := &t.Calls[i]; c.Basis == model.Derived && c.Given < begins {
			c.Basis, c.Note = model.NotRecorded, midway
		}
	}
	return begins
}
