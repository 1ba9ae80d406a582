package engine

import (
	"iter"

	"agentlens/internal/model"
)

// An event is a change of the fate of the message at a key. A message that is given and kept as recorded has none
// until its fate changes, see [births].
type event struct {
	call    int32
	prev    int32 // previous event of the same key, or -1
	variant int32
	tokens  int32
	fork    int32 // variant while the last layer is switched on, see [Layer.PutEither]; 0 if it is the same
	why     Reason
	edited  Reason // why an earlier stage changed the message before this one dropped it
	stage   int8   // stage that caused it, or -1
	editor  int8   // stage that changed the message before this one dropped it, or -1
	fate    model.Fate
	gone    bool // an added message that was removed again
}

// same reports whether two events give a message the same fate while the last layer is switched off.
func (e *event) same(o *event) bool {
	return e.fate == o.fate && e.variant == o.variant && e.why == o.why && e.stage == o.stage && e.gone == o.gone && e.editor == o.editor && e.edited == o.edited
}

// births holds the messages that are given and kept as recorded, until their first [event].
type births struct {
	born  []int32 // per key, the call from which that is so, or 0
	order []Key   // of those calls
}

func newBirths(size int) births { return births{make([]int32, size), make([]Key, 0, size)} }

// bear records that a message without events is kept as recorded from a call on.
func (b *births) bear(k Key, call int) {
	if b.born[k] == 0 {
		b.born[k] = int32(call)
		b.order = append(b.order, k)
	}
}

// asRecorded reports whether every layer holds the message at k as recorded.
func (r *Replayed) asRecorded(layers []*Layer, k Key) bool {
	if !r.space.IsMessage(k) {
		return false
	}
	tokens := r.in.Sizes.Tokens[r.space.Place(k)]
	for _, l := range layers {
		if it := &l.items[k]; !it.Live || it.Variant != 0 || it.Tokens != tokens {
			return false
		}
	}
	forks := layers[len(layers)-1].forks
	return forks == nil || !forks.keys.Has(k)
}

// birth returns the event that a message would have when it is first given, and whether it was kept then.
func (r *Replayed) birth(k Key) (event, bool) {
	call := r.born[k]
	if call == 0 {
		return event{}, false
	}
	return event{call: call, prev: -1, tokens: r.in.Sizes.Tokens[r.space.Place(k)], stage: -1, fate: model.Kept}, true
}

// history returns the events of k, the newest first.
func (r *Replayed) history(k Key) iter.Seq[event] {
	return func(yield func(event) bool) {
		for i := r.heads[k]; i >= 0; i = r.events.At(i).prev {
			if !yield(*r.events.At(i)) {
				return
			}
		}
		if e, ok := r.birth(k); ok {
			yield(e)
		}
	}
}

// A timeline walks over the events of all keys, in the order of calls. A call has at most one of a key.
type timeline struct {
	r     *Replayed
	keys  []Key // of each event
	event int   // next
	birth int   // next
	made  event // of the last birth
}

func (r *Replayed) timeline() timeline {
	keys := make([]Key, r.events.Len())
	for k := range Key(len(r.heads)) {
		for i := r.heads[k]; i >= 0; i = r.events.At(i).prev {
			keys[i] = k
		}
	}
	return timeline{r: r, keys: keys}
}

// until calls do with each remaining event up to a call. The events of one key are in their order.
func (t *timeline) until(call int, do func(k Key, e *event)) {
	r := t.r
	for ; t.birth < len(r.order) && int(r.born[r.order[t.birth]]) <= call; t.birth++ {
		k := r.order[t.birth]
		t.made, _ = r.birth(k)
		do(k, &t.made)
	}
	for ; t.event < len(t.keys); t.event++ {
		e := r.events.At(int32(t.event))
		if int(e.call) > call {
			return
		}
		do(t.keys[t.event], e)
	}
}
