package curate

import "agentlens/internal/model"

// A key names a place in the views of a chain, in view order: message i of the
// thread, or a slot before it in which a stage may put a message of its own.
type key = int32

// keyspace lays out the keys: before each message, and after the last one, come
// the slots of the stages, so many at each place as they ask for.
type keyspace struct {
	thread *model.Thread
	base   []key   // per place, its first slot; one more at the end
	owner  []int32 // per key, its place
	added  map[key]addition
}

// An addition is a message that a stage put in: of an added result, answers says
// what it answers.
type addition struct {
	role    model.Role
	answers *model.Answer
}

// newKeyspace makes the keys of a thread with so many slots at each place, from 0
// to its length.
func newKeyspace(t *model.Thread, slots func(i int) int) *keyspace {
	s := &keyspace{thread: t, base: make([]key, 0, t.Len()+2), added: map[key]addition{}}
	for i := range t.Len() + 1 {
		s.base = append(s.base, key(len(s.owner)))
		for range slots(i) + 1 {
			s.owner = append(s.owner, int32(i))
		}
	}
	s.base = append(s.base, key(len(s.owner)))
	return s
}

func (s *keyspace) ofMessage(i int) key  { return s.base[i+1] - 1 }
func (s *keyspace) slot(i, nth int) key  { return s.base[i] + key(nth) }
func (s *keyspace) message(k key) int    { return int(s.owner[k]) }
func (s *keyspace) isMessage(k key) bool { return s.base[s.owner[k]+1]-1 == k }
func (s *keyspace) size() int            { return len(s.owner) }

// role of the message at k.
func (s *keyspace) role(k key) model.Role {
	if s.isMessage(k) {
		return s.thread.At(s.message(k)).Role
	}
	return s.added[k].role
}

// An item is the state of one key in one layer.
type item struct {
	tokens  int32
	variant int32 // what its content is, see variants; 0 is the content as recorded
	stamp   int32 // the call it last changed at
	why     uint16
	live    bool
}

// A layer is one view that is kept up to date from call to call: what goes into
// a stage, or what comes out of it.
type layer struct {
	*keyspace
	items []item
	live  *bitset
	// delta lists the keys that changed at this call, each once, in no order.
	delta  []key
	stamp  int32
	tokens int64
	count  int
}

func newLayer(space *keyspace) *layer {
	return &layer{keyspace: space, items: make([]item, space.size()), live: newBitset(space.size())}
}

// begin starts a call.
func (l *layer) begin(stamp int32) {
	l.delta = l.delta[:0]
	l.stamp = stamp
}

func (l *layer) touch(k key) {
	if l.items[k].stamp != l.stamp {
		l.items[k].stamp = l.stamp
		l.delta = append(l.delta, k)
	}
}

// put makes k live with the content and size of it.
func (l *layer) put(k key, it item, why uint16) {
	old := &l.items[k]
	if old.live && old.variant == it.variant && old.tokens == it.tokens {
		return
	}
	l.touch(k)
	if old.live {
		l.tokens -= int64(old.tokens)
		l.count--
	}
	old.live, old.tokens, old.variant, old.why = true, it.tokens, it.variant, why
	l.tokens += int64(it.tokens)
	l.count++
	l.live.set(k)
}

// drop makes k dead, for the reason why.
func (l *layer) drop(k key, why uint16) {
	old := &l.items[k]
	if !old.live {
		if old.why != why {
			old.why = why
			l.touch(k)
		}
		return
	}
	l.touch(k)
	old.live, old.why = false, why
	l.tokens -= int64(old.tokens)
	l.count--
	l.live.clear(k)
}

func (l *layer) isLive(k key) bool { return l.items[k].live }

func (l *layer) first() key     { return l.live.next(0) }
func (l *layer) last() key      { return l.live.prev(int32(l.live.size - 1)) }
func (l *layer) next(k key) key { return l.live.next(k + 1) }
func (l *layer) prev(k key) key {
	if k <= 0 {
		return -1
	}
	return l.live.prev(k - 1)
}

// head returns the key after the leading system messages: the system prompt
// and what earlier stages put beside it.
func (l *layer) head() key {
	k := l.first()
	for k >= 0 && l.role(k) == model.System {
		k = l.next(k)
	}
	if k < 0 {
		return int32(len(l.items))
	}
	return k
}

func (l *layer) tally() model.Tally { return model.Tally{Messages: l.count, Tokens: l.tokens} }
