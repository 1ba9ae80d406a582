package engine

import "agentlens/internal/model"

// Series returns the size of the view at every call in tokens, from call 1 to the one
// after the record, by kind of message. kindOf returns the kind of message i of the
// thread, or of an added message (-1) of a role, from 0 to kinds-1. Where the record
// does not contain the view of a call, all given messages count. The cost is near that
// of the replay, whatever the number of calls.
func (r *Replayed) Series(kinds int, kindOf func(i int32, role model.Role) int) [][]int64 {
	calls := r.Calls() + 1
	steps := make([][]int64, kinds) // what changes at each call, then its running sum
	for k := range steps {
		steps[k] = make([]int64, calls+2)
	}
	for k := range Key(len(r.heads)) {
		role, index := r.space.added[k].Role, int32(-1)
		if r.space.IsMessage(k) && r.space.Place(k) < r.in.Thread.Len() {
			index = int32(r.space.Place(k))
			role = r.in.Thread.At(int(index)).Role
		}
		row := steps[kindOf(index, role)]
		until := calls + 1
		for i := r.heads[k]; i >= 0; i = r.events[i].prev {
			e := &r.events[i]
			if !e.gone && e.fate != model.WasDropped {
				row[e.call] += int64(e.tokens)
				row[until] -= int64(e.tokens)
			}
			until = int(e.call)
		}
	}
	for _, row := range steps {
		for n := 1; n <= calls; n++ {
			row[n] += row[n-1]
		}
	}
	r.seriesOfRecord(steps, kindOf)
	for k := range steps {
		steps[k] = steps[k][1 : calls+1]
	}
	return steps
}

// seriesOfRecord corrects the calls whose views do not come from the replay: those
// whose prompt is recorded, and those whose view is unknown.
func (r *Replayed) seriesOfRecord(rows [][]int64, kindOf func(int32, model.Role) int) {
	if r.basis != model.NotRecorded {
		return
	}
	t := r.in.Thread
	sums := make([]int64, len(rows)) // of the leading messages
	at := 0
	for n := 1; n <= r.Calls()+1; n++ {
		given := int(r.given[n-1])
		if given < at {
			clear(sums)
			at = 0
		}
		for ; at < given; at++ {
			sums[kindOf(int32(at), t.At(at).Role)] += int64(r.in.Sizes.Tokens[at])
		}
		sent := r.Sent(n)
		switch {
		case sent != nil:
			for k := range rows {
				rows[k][n] = 0
			}
			for _, s := range sent {
				role := s.Role
				if s.Index >= 0 {
					role = t.At(int(s.Index)).Role
				}
				rows[kindOf(s.Index, role)][n] += int64(r.sentTokens(s))
			}
		case r.recordedBasis(n) == model.NotRecorded && (n > len(t.Calls) || t.Calls[n-1].GivenList == nil):
			for k := range rows {
				rows[k][n] = sums[k]
			}
		}
	}
}

// Broke reports whether the view of a call does not begin with all of the view before
// it: a provider's cache is lost from there on. It is false where the whole prompt of
// the call is recorded.
func (r *Replayed) Broke(call int) bool {
	return call >= 1 && call <= len(r.breaks) && r.breaks[call-1] >= 0 && r.Sent(call) == nil
}
