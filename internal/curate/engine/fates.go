package engine

import (
	"slices"

	"agentlens/internal/model"
)

// A FateRun is the fate of one message over consecutive calls.
type FateRun struct {
	From, To int // calls; Calls()+1 is the call after the record
	Given    bool
	Known    bool // the views of these calls are known
	// Entry is the message in the views of these calls, if it was given.
	Entry model.Entry
}

// Fates returns the fate of message i at every call, from 1 to Calls()+1. It combines
// consecutive calls with the same fate.
func (r *Replayed) Fates(i int) []FateRun {
	r.looking.Lock()
	defer r.looking.Unlock()
	k := r.space.KeyOf(i)
	var chain []event // oldest first
	for at := r.heads[k]; at >= 0; at = r.events[at].prev {
		chain = append(chain, r.events[at])
	}
	slices.Reverse(chain)
	var runs []FateRun
	nth, last := -1, -2 // of the chain: for the current and the previous run
	for call := 1; call <= r.Calls()+1; call++ {
		for nth+1 < len(chain) && int(chain[nth+1].call) <= call {
			nth++
		}
		run := FateRun{From: call, To: call, Known: r.Basis(call) != model.NotRecorded}
		state := nth
		if sent := r.Sent(call); sent != nil {
			state = -3
			run.Entry, run.Given = r.sentFate(sent, i, call)
		} else if nth >= 0 && !chain[nth].gone {
			run.Given = true
		}
		if n := len(runs); n > 0 && state == last && runs[n-1].Known == run.Known && runs[n-1].Given == run.Given && (state != -3 || runs[n-1].Entry.Fate == run.Entry.Fate) {
			runs[n-1].To = call
			continue
		}
		if run.Given && state >= 0 {
			run.Entry = r.entry(&model.View{}, k, r.beforeText(chain[nth]), true)
		}
		runs = append(runs, run)
		last = state
	}
	return runs
}

// sentFate returns message i at a call whose prompt is recorded, and whether it was
// given.
func (r *Replayed) sentFate(sent []model.Sent, i, call int) (e model.Entry, given bool) {
	for _, s := range sent {
		if s.Index.Is(i) {
			n := r.in.Sizes.Tokens[i]
			return model.Entry{Index: int32(i), Role: r.in.Thread.At(i).Role, Reason: s.Reason, Tokens: n, WasTokens: n}, true
		}
	}
	if i >= int(r.given[call-1]) {
		return model.Entry{}, false
	}
	return r.notSent(i, call), true
}
