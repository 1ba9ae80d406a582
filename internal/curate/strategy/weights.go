package strategy

import (
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/keyset"
	"agentlens/internal/model"
)

// weights keeps what each unit of a view weighs. A unit is a group, or a message
// outside any; the leading system messages weigh nothing.
type weights struct {
	measure measure
	// dropSystem says that leading system messages are like any other.
	dropSystem bool

	of    []int32     // per key, the weight of the unit it heads
	own   []int32     // per key, what its own message adds
	heavy *keyset.Set // keys with a weight
	users *keyset.Set // live user messages
	total int64
	head  engine.Key // first key after the leading system messages
	was   engine.Key // head at the call before
}

// A measure is what a message weighs.
type measure uint8

const (
	byMessage measure = iota // every message weighs one
	byUser                   // user messages weigh one
	byUnit                   // units weigh one
	byTokens                 // tokens, added to those of the unit
)

func (w *weights) DropSystem() { w.dropSystem = true }

// follow brings the weights up to date. It calls add for each unit whose weight
// changes.
func (w *weights) follow(in *engine.Layer, add func(unit engine.Key, diff int32)) {
	if w.heavy == nil {
		w.of, w.own = make([]int32, in.Size()), make([]int32, in.Size())
		w.heavy, w.users = keyset.NewSet(in.Size()), keyset.NewSet(in.Size())
	}
	w.was = w.head
	if !w.dropSystem {
		w.head = in.Head()
	}
	for _, k := range in.Changed() {
		w.weigh(in, k, add)
	}
	for k := range in.Between(w.was, w.head) {
		w.weigh(in, k, add)
	}
}

func (w *weights) weigh(in *engine.Layer, k engine.Key, add func(unit engine.Key, diff int32)) {
	n, isUser := int32(0), false
	if it := in.At(k); it.Live && k >= w.head {
		isUser = in.Role(k) == model.User
		switch w.measure {
		case byMessage:
			n = 1
		case byUser:
			n = b2i(isUser)
		case byUnit:
			n = b2i(in.UnitHead(k) == k)
		case byTokens:
			n = it.Tokens
		}
	}
	w.users.Put(k, isUser)
	diff := n - w.own[k]
	if diff == 0 {
		return
	}
	unit := k
	if w.measure == byTokens {
		unit = in.UnitHead(k)
	}
	w.own[k] = n
	w.of[unit] += diff
	w.total += int64(diff)
	w.heavy.Put(unit, w.of[unit] != 0)
	add(unit, diff)
}

// A room is how much of the weights may stay.
type room func(in *engine.Layer, w *weights) int64

// upTo leaves room for n.
func upTo(n int64) room { return func(*engine.Layer, *weights) int64 { return n } }

// withSystem leaves room for n tokens together with the leading system messages.
func withSystem(n int64) room {
	return func(in *engine.Layer, w *weights) int64 {
		left := n
		for k := range in.Between(0, w.head) {
			left -= int64(in.At(k).Tokens)
		}
		return left
	}
}

// newestShare leaves room for all but the oldest share of the units.
func newestShare(share float64) room {
	return func(_ *engine.Layer, w *weights) int64 { return w.total - int64(oldest(int(w.total), share)) }
}

// oldest returns how many of n texts a share of them is: at least one, of any.
func oldest(n int, share float64) int {
	return min(n, max(1, int(float64(n)*share)))
}

// A suffix is the newest units that fit a room.
type suffix struct {
	// newest says that the newest unit stays even alone over the room.
	newest bool
	start  engine.Key // first key that fits
	sum    int64      // of the weights from start on
}

// Slide moves start so that the sum fits, and no further.
func (s *suffix) Slide(w *weights, room int64) {
	for s.sum > room {
		k := w.heavy.Next(s.start)
		if k < 0 || s.newest && w.heavy.Next(k+1) < 0 {
			break
		}
		s.sum -= int64(w.of[k])
		s.start = k + 1
	}
	for s.start > 0 {
		k := w.heavy.Prev(s.start - 1)
		if k < 0 {
			s.start = 0
			break
		}
		forced := s.newest && w.heavy.Next(s.start) < 0
		if s.sum+int64(w.of[k]) > room && !forced {
			s.start = k + 1 // whatever was between when it slid
			break
		}
		s.sum += int64(w.of[k])
		s.start = k
	}
}

func b2i(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
