package engine

import (
	"sort"

	"agentlens/internal/curate/keyset"
	"agentlens/internal/model"
)

// forks holds the keys of a layer that have two items each. If no stage reads the layer, switching it takes
// constant time, however many keys have two items, and a replay records one call for it. Otherwise, and for
// slots, each key changes.
type forks struct {
	on, wasOn bool        // at this and the previous call
	keys      *keyset.Set // in the last layer, those whose item in the layer is the first one
	edited    []Item      // the second item of each of them
	more      int64       // tokens of the second items minus those of the first ones
	others    *keyset.Set // keys of slots and in other layers; edited holds the item that they do not show
}

// PutEither makes k live with one of two items: it, the item of the input, or edited, which an [Edit] has made
// of it. [Layer.Switch] selects which.
func (l *Layer) PutEither(k Key, it, edited Item) {
	if l.forks == nil {
		l.forks = &forks{keys: keyset.NewSet(l.Size()), edited: make([]Item, l.Size()), others: keyset.NewSet(l.Size())}
	}
	f := l.forks
	if !l.last || !l.IsMessage(k) {
		if f.on {
			it, edited = edited, it
		}
		l.put(k, it, ByEdit)
		f.others.Add(k)
		f.edited[k] = edited
		return
	}
	if f.keys.Has(k) && l.items[k].same(it) && f.edited[k].same(edited) {
		return
	}
	l.join(k)
	l.put(k, it, AsIs)
	l.touch(k)
	f.keys.Add(k)
	f.edited[k] = edited
	f.more += int64(edited.Tokens) - int64(it.Tokens)
}

// Switch selects the edited items of [Layer.PutEither], or the others.
func (l *Layer) Switch(on bool) {
	f := l.forks
	if f == nil || f.on == on {
		return
	}
	f.on = on
	for k := f.others.Next(0); k >= 0; k = f.others.Next(k + 1) {
		it := f.edited[k]
		f.edited[k] = l.items[k]
		l.put(k, it, ByEdit)
	}
}

// join leaves k with one item only. The layer has keys with two.
func (l *Layer) join(k Key) {
	f := l.forks
	f.others.Remove(k)
	if f.keys.Has(k) {
		l.touch(k)
		f.keys.Remove(k)
		f.more -= int64(f.edited[k].Tokens) - int64(l.items[k].Tokens)
	}
}

// before returns the item that k had at the previous call, if it has not changed since.
func (l *Layer) before(k Key) Item {
	if f := l.forks; f != nil && f.wasOn && f.keys.Has(k) {
		return f.edited[k]
	}
	return l.items[k]
}

// switched reports whether the layer was switched at this call.
func (l *Layer) switched() bool { return l.forks != nil && l.forks.on != l.forks.wasOn }

// firstSwitched returns the first key with two items whose message differs from the previous call because the
// layer was switched, or first if there is none before it.
func (l *Layer) firstSwitched(first Key, same func(k Key, was, now Item) bool) Key {
	if !l.switched() {
		return first
	}
	f := l.forks
	for k := f.keys.Next(0); k >= 0 && k < first; k = f.keys.Next(k + 1) {
		if l.items[k].stamp != l.stamp && !same(k, l.before(k), l.At(k)) {
			return k
		}
	}
	return first
}

// switches are the calls at which the last layer of a replay was switched, in order. It begins switched off.
type switches []int32

// on reports whether the layer is switched on at a call.
func (s switches) on(call int) bool { return s.until(call)%2 == 1 }

// until returns the number of switches up to a call.
func (s switches) until(call int) int {
	return sort.Search(len(s), func(i int) bool { return int(s[i]) > call })
}

// shown returns event e as it applies at a call, which depends on whether the last layer is switched on.
func (r *Replayed) shown(e event, call int) event {
	if e.fork == 0 {
		return e
	}
	if n := r.switches.until(call); n%2 == 1 {
		e = r.edited(e)
		e.call = max(e.call, r.switches[n-1])
	}
	return e
}

// edited returns an event of a key with two items while the last layer is switched on.
func (r *Replayed) edited(e event) event {
	if e.fork == 0 {
		return e
	}
	if e.fate != model.Added {
		e.fate, e.stage, e.why = model.WasChanged, int8(len(r.parts)-1), ByEdit
	}
	e.variant, e.tokens, e.fork = e.fork, r.contents.list.At(e.fork).Tokens, 0
	return e
}

// editedSums holds, for each key with two items, the tokens of the edited item minus those of the other.
type editedSums struct {
	r    *Replayed
	more *keyset.Sums
}

// newEditedSums returns sums without keys. It is nil if the last layer is never switched.
func (r *Replayed) newEditedSums() *editedSums {
	if len(r.switches) == 0 {
		return nil
	}
	return &editedSums{r, keyset.NewSums(len(r.heads))}
}

func (s *editedSums) set(k Key, e *event) {
	if s != nil {
		s.more.Set(k, s.r.more(e))
	}
}

// before returns the tokens by which the keys before end are larger at a call because the last layer is
// switched on.
func (s *editedSums) before(end Key, call int) int64 {
	if s == nil || !s.r.switches.on(call) {
		return 0
	}
	return s.more.Before(end)
}

// more returns the tokens of the edited item of an event minus those of the other, or 0.
func (r *Replayed) more(e *event) int64 {
	if e.fork == 0 {
		return 0
	}
	return int64(r.contents.list.At(e.fork).Tokens) - int64(e.tokens)
}
