package engine

import (
	"cmp"
	"iter"
	"slices"

	"agentlens/internal/model"
)

// A Change is the new entry at a key.
type Change struct {
	Key   Key
	Entry *model.Entry // nil if the message is neither given nor added anymore
	// Switched is the entry in the views of the calls that are [Replayed.Switched]. It is Entry for most keys.
	Switched *model.Entry
}

// Steps returns, for every call and the next one, the entries that differ from those of the call before, in
// time proportional to their number. A view consists of the newest entries of all keys, or if the call is
// [Replayed.Switched], of their other entries. For calls that are [Replayed.Listed], the result describes the
// view only in part.
func (r *Replayed) Steps() iter.Seq2[int, []Change] {
	return func(yield func(int, []Change) bool) {
		keys, from := r.eventKeys(), 0
		var order []int32 // events of a call
		for n := 1; n <= len(r.given); n++ {
			order = order[:0]
			for ; from < len(keys) && int(r.events[from].call) == n; from++ {
				order = append(order, int32(from))
			}
			slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(keys[a], keys[b]) })
			if !yield(n, r.changesAt(keys, order)) {
				return
			}
		}
	}
}

// changesAt returns the changes of some events, whose keys are in keys.
func (r *Replayed) changesAt(keys []Key, events []int32) []Change {
	r.looking.Lock()
	defer r.looking.Unlock()
	var estimated model.View
	list, entries := make([]Change, len(events)), make([]model.Entry, len(events))
	for i, at := range events {
		list[i].Key = keys[at]
		e := r.events[at]
		if e.gone {
			continue
		}
		entries[i] = r.entry(&estimated, keys[at], e, true)
		list[i].Entry, list[i].Switched = &entries[i], &entries[i]
		if e.fork != 0 {
			edited := r.entry(&estimated, keys[at], r.edited(e), true)
			list[i].Switched = &edited
		}
	}
	return list
}

// Switched reports whether the last stage has switched the view of a call to the edited items of
// [Layer.PutEither].
func (r *Replayed) Switched(call int) bool { return r.switches.on(call) }

// Switches reports whether any call is [Replayed.Switched].
func (r *Replayed) Switches() bool { return len(r.switches) > 0 }

// Listed reports whether the record lists the messages of a call, in an order of its own, so
// that only [Replayed.View] describes its view.
func (r *Replayed) Listed(call int) bool {
	if r.Sent(call) != nil {
		return true
	}
	o := r.orderAt(call)
	return o != nil && !ascending(o.keys)
}

// Keys returns the keys of the replay.
func (r *Replayed) Keys() *Keyspace { return r.space }

// A Follower holds the items of the view of one call after the other.
type Follower struct {
	r     *Replayed
	keys  []Key // of each event
	next  int   // event
	items []Item
	forks []int32 // per key, the variant while the last layer is switched on, or 0; nil without switches
	on    bool
}

// Follow returns a follower of the views before the first call.
func (r *Replayed) Follow() *Follower {
	f := &Follower{r: r, keys: r.eventKeys(), items: make([]Item, len(r.heads))}
	if len(r.switches) > 0 {
		f.forks = make([]int32, len(r.heads))
	}
	return f
}

// eventKeys returns the key of each event. Events are in the order of calls, and a call has at most one of a key.
func (r *Replayed) eventKeys() []Key {
	keys := make([]Key, len(r.events))
	for k := range Key(len(r.heads)) {
		for i := r.heads[k]; i >= 0; i = r.events[i].prev {
			keys[i] = k
		}
	}
	return keys
}

// To moves on to a call. It calls changed with each added message that changes: its key and the new item.
func (f *Follower) To(call int, changed func(k Key, now Item)) {
	f.on = f.r.switches.on(call)
	for ; f.next < len(f.keys) && int(f.r.events[f.next].call) <= call; f.next++ {
		k, e := f.keys[f.next], &f.r.events[f.next]
		f.items[k] = Item{Tokens: e.tokens, Variant: e.variant, Live: e.sent()}
		if f.forks != nil {
			f.forks[k] = e.fork
		}
		if !f.r.space.IsMessage(k) {
			changed(k, f.items[k])
		}
	}
}

// Item returns the item at k. It equals [Replayed.Item] for the current call.
func (f *Follower) Item(k Key) Item {
	if f.on && f.forks[k] != 0 {
		return Item{Tokens: f.r.contents.list[f.forks[k]].Tokens, Variant: f.forks[k], Live: true}
	}
	return f.items[k]
}
