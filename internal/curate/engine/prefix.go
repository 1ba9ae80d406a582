package engine

import "agentlens/internal/model"

// breakOf returns the first key at which the view of a call differs from the previous view,
// whose last key is given, or -1 if the view begins with the whole previous view. A stage may
// move the message that it adds to another key; the message alone is no difference.
func (r *Replayed) breakOf(f *Facts, l *Layer, lastBefore Key) Key {
	first := l.firstDifference()
	if first < 0 || first > lastBefore {
		return -1
	}
	if l.IsMessage(first) { // a message never moves
		return first
	}
	was := make(map[Key]Item, len(l.delta))
	for i, k := range l.delta {
		was[k] = l.was[i]
	}
	before, now, moved := l.prevLive(first, was), l.From(first), 0
	for before >= 0 && now >= 0 {
		old, ok := was[before]
		if !ok {
			old = l.items[before]
		}
		switch {
		case before == now && old.same(l.items[now]):
		case r.movedTo(l, before, old, now):
			moved++
		default:
			r.noteMoved(f.Number, moved)
			return min(before, now)
		}
		before, now = l.prevLive(before+1, was), l.Next(now)
	}
	r.noteMoved(f.Number, moved)
	return before
}

// prevLive returns the first key at or after k that was live at the previous call, or -1. was
// holds the previous items of the keys that changed since.
func (l *Layer) prevLive(k Key, was map[Key]Item) Key {
	for ; k < Key(len(l.items)); k++ {
		it, changed := was[k]
		if !changed {
			it = l.items[k]
		}
		if it.Live {
			return k
		}
	}
	return -1
}

// movedTo reports whether the added message that was at one key is now at another.
func (r *Replayed) movedTo(l *Layer, before Key, old Item, now Key) bool {
	it := l.items[now]
	if l.IsMessage(before) || l.IsMessage(now) || old.Tokens != it.Tokens || !r.in.Texts {
		return false
	}
	a, b := r.space.added[before], r.space.added[now]
	if a.Role != b.Role || a.Answers != b.Answers {
		return false
	}
	return old.Variant == it.Variant || r.contents.Text(before, old) == r.contents.Text(now, it)
}

func (r *Replayed) noteMoved(call, n int) {
	if n == 0 {
		return
	}
	if r.moved == nil {
		r.moved = map[int]int{}
	}
	r.moved[call] = n
}

// inBoth reports whether the message at k is in the view of a call, as event e says, and in
// the view before it.
func (r *Replayed) inBoth(k Key, e event, call int) bool {
	return e.fate != model.WasDropped && r.Item(k, call-1).Live
}
