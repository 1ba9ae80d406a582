package strategy

import (
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/keyset"
)

// bestFit keeps older units that fit into the remaining room, newest first.
type bestFit struct {
	tokens *keyset.Minima // of each unit, by its head
	now    []engine.Key   // heads of the units kept, newest first
	was    []engine.Key   // heads at the previous call
	kept   *keyset.Set    // now
}

func (x *bestFit) move(f *engine.Facts, in *engine.Layer, w *window) {
	if x.tokens == nil {
		x.tokens, x.kept = keyset.NewMinima(in.Size()), keyset.NewSet(in.Size())
	}
	for _, k := range in.Changed() {
		x.weigh(in.UnitHead(k), w)
	}
	for k := range in.Between(w.was, w.head) {
		x.weigh(in.UnitHead(k), w)
	}
	x.now, x.was = x.was[:0], x.now
	room := w.room(f, in, &w.weights) - w.sum
	for k := x.tokens.LastUpTo(w.start-1, room); k >= 0; k = x.tokens.LastUpTo(k-1, room) {
		x.now = append(x.now, k)
		room -= int64(w.of[k])
	}
	for _, k := range x.was {
		x.kept.Remove(k)
	}
	for _, k := range x.now {
		x.kept.Add(k)
	}
}

func (x *bestFit) weigh(unit engine.Key, w *window) { x.tokens.Set(unit, w.of[unit]) }

func (x *bestFit) again(in, out *engine.Layer, w *window) {
	eachChange(x.was, x.now, func(k engine.Key) { w.decideUnit(in, out, k, in.UnitHead(k)) })
}

func (x *bestFit) keeps(in *engine.Layer, k, unit engine.Key) (engine.Item, bool) {
	return in.At(k), x.kept.Has(unit)
}

// eachChange calls do for each key that is in exactly one of two lists. Both lists are
// ordered newest first.
func eachChange(was, now []engine.Key, do func(engine.Key)) {
	i, j := 0, 0
	for i < len(now) || j < len(was) {
		switch {
		case j == len(was) || i < len(now) && now[i] > was[j]:
			do(now[i])
			i++
		case i == len(now) || was[j] > now[i]:
			do(was[j])
			j++
		default:
			i, j = i+1, j+1
		}
	}
}
