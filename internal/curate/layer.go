package curate

import "agentlens/internal/model"

// A Key names a place in the views of a chain, in view order: message i of the
// thread, or a slot before it in which a stage may put a message of its own.
type Key = int32

// Keyspace lays out the keys: before each message, and after the last one, come
// the slots of the stages, so many at each place as they ask for.
type Keyspace struct {
	Thread *model.Thread
	base   []Key   // per place, its first slot; one more at the end
	owner  []int32 // per key, its place
	added  map[Key]Addition
}

// An Addition is a message that a stage put in: of an added result, answers says
// what it answers.
type Addition struct {
	Role    model.Role
	Answers *model.Answer
}

// newKeyspace makes the keys of a thread with so many slots at each place, from 0
// to its length.
func newKeyspace(t *model.Thread, slots func(i int) int) *Keyspace {
	s := &Keyspace{Thread: t, base: make([]Key, 0, t.Len()+2), added: map[Key]Addition{}}
	for i := range t.Len() + 1 {
		s.base = append(s.base, Key(len(s.owner)))
		for range slots(i) + 1 {
			s.owner = append(s.owner, int32(i))
		}
	}
	s.base = append(s.base, Key(len(s.owner)))
	return s
}

func (s *Keyspace) KeyOf(i int) Key      { return s.base[i+1] - 1 }
func (s *Keyspace) Slot(i, nth int) Key  { return s.base[i] + Key(nth) }
func (s *Keyspace) Place(k Key) int      { return int(s.owner[k]) }
func (s *Keyspace) IsMessage(k Key) bool { return s.base[s.owner[k]+1]-1 == k }
func (s *Keyspace) Size() int            { return len(s.owner) }

// Role of the message at k.
func (s *Keyspace) Role(k Key) model.Role {
	if s.IsMessage(k) {
		return s.Thread.At(s.Place(k)).Role
	}
	return s.added[k].Role
}

// An Item is the state of one key in one layer.
type Item struct {
	Tokens  int32
	Variant int32 // what its content is, see variants; 0 is the content as recorded
	stamp   int32 // the call it last changed at
	why     uint16
	Live    bool
}

// A Layer is one view that is kept up to date from call to call: what goes into
// a stage, or what comes out of it.
type Layer struct {
	*Keyspace
	items []Item
	live  *Set
	// delta lists the keys that changed at this call, each once, in no order.
	delta  []Key
	stamp  int32
	tokens int64
	count  int
}

func NewLayer(space *Keyspace) *Layer {
	return &Layer{Keyspace: space, items: make([]Item, space.Size()), live: NewSet(space.Size())}
}

// Begin starts a call.
func (l *Layer) Begin(stamp int32) {
	l.delta = l.delta[:0]
	l.stamp = stamp
}

func (l *Layer) touch(k Key) {
	if l.items[k].stamp != l.stamp {
		l.items[k].stamp = l.stamp
		l.delta = append(l.delta, k)
	}
}

// Put makes k live with the content and size of it.
func (l *Layer) Put(k Key, it Item, why uint16) {
	old := &l.items[k]
	if old.Live && old.Variant == it.Variant && old.Tokens == it.Tokens {
		return
	}
	l.touch(k)
	if old.Live {
		l.tokens -= int64(old.Tokens)
		l.count--
	}
	old.Live, old.Tokens, old.Variant, old.why = true, it.Tokens, it.Variant, why
	l.tokens += int64(it.Tokens)
	l.count++
	l.live.Add(k)
}

// Drop makes k dead, for the reason why.
func (l *Layer) Drop(k Key, why uint16) {
	old := &l.items[k]
	if !old.Live {
		if old.why != why {
			old.why = why
			l.touch(k)
		}
		return
	}
	l.touch(k)
	old.Live, old.why = false, why
	l.tokens -= int64(old.Tokens)
	l.count--
	l.live.Remove(k)
}

func (l *Layer) Live(k Key) bool { return l.items[k].Live }

func (l *Layer) First() Key     { return l.live.Next(0) }
func (l *Layer) Last() Key      { return l.live.Prev(int32(l.live.size - 1)) }
func (l *Layer) Next(k Key) Key { return l.live.Next(k + 1) }
func (l *Layer) Prev(k Key) Key {
	if k <= 0 {
		return -1
	}
	return l.live.Prev(k - 1)
}

// Head returns the key after the leading system messages: the system prompt
// and what earlier stages put beside it.
func (l *Layer) Head() Key {
	k := l.First()
	for k >= 0 && l.Role(k) == model.System {
		k = l.Next(k)
	}
	if k < 0 {
		return int32(len(l.items))
	}
	return k
}

func (l *Layer) tally() model.Tally { return model.Tally{Messages: l.count, Tokens: l.tokens} }
