package curate

// A window keeps the newest units of a view that fit a room. What else it keeps, and
// where it may begin, are small types of their own.
type window struct {
	weights
	suffix
	room       room
	align      alignment // nil: the window begins with any unit
	whole      bool      // a unit that the window cuts stays whole
	exceptions []exception
	older      Reason
	orphan     Reason // of a result whose call is older

	units unitCounts
	from  Key // first key that is kept, after alignment
}

// An alignment returns the first key that is kept: everything before it goes.
type alignment func(in *Layer, w *window) Key

// An exception keeps messages that are older than the window.
type exception interface {
	// move follows the view to this call.
	move(f *Facts, in *Layer, w *window)
	// again decides about the units whose answer may have changed.
	again(in, out *Layer, w *window)
	// keeps returns what stays of the message at k of a unit, and whether any does.
	keeps(in *Layer, k, unit Key) (Item, bool)
}

// newWindow makes a window with the reasons of its drops.
func newWindow(a *args, m measure, r room, older string, values ...any) *window {
	return &window{weights: weights{measure: m}, room: r, older: a.because(older, values...), orphan: a.because("its call is not kept")}
}

// Step implements [Stage].
func (w *window) Step(f *Facts, in, out *Layer) {
	w.units.follow(in)
	w.follow(in, func(unit Key, diff int32) {
		if unit >= w.start {
			w.sum += int64(diff)
		}
	})
	w.slide(&w.weights, w.room(in, &w.weights))
	for _, x := range w.exceptions {
		x.move(f, in, w)
	}
	before := w.from
	w.from = w.start
	if w.align != nil {
		w.from = w.align(in, w)
	}
	for _, x := range w.exceptions {
		x.again(in, out, w)
	}
	for _, k := range in.Changed() {
		w.decide(in, out, k)
	}
	for k := range in.Between(w.was, w.head) {
		w.decide(in, out, k)
	}
	w.decideBetween(in, out, before, w.from)
}

// decideBetween decides about the units that begin between two keys.
func (w *window) decideBetween(in, out *Layer, a, b Key) {
	for k := range in.Between(a, b) {
		w.decide(in, out, k)
	}
	for k := w.units.heads.Next(min(a, b)); k >= 0 && k < max(a, b); k = w.units.heads.Next(k + 1) {
		w.decide(in, out, k)
	}
}

// decide lets k through or drops it, and with the head of a group the group.
func (w *window) decide(in, out *Layer, k Key) {
	if w.whole || in.UnitHead(k) == k {
		w.decideUnit(in, out, k)
	} else {
		w.decideOne(in, out, k)
	}
}

// decideUnit decides about k and all of the group it belongs to.
func (w *window) decideUnit(in, out *Layer, k Key) {
	w.decideOne(in, out, k)
	if !in.IsMessage(k) {
		return
	}
	for _, i := range in.Thread.Members(in.Place(k)) {
		if m := in.KeyOf(int(i)); m != k {
			w.decideOne(in, out, m)
		}
	}
}

func (w *window) decideOne(in, out *Layer, k Key) {
	it := in.At(k)
	if !it.Live {
		out.Drop(k, Gone)
		return
	}
	unit := in.UnitHead(k)
	if k < w.head || unit >= w.from || w.whole && in.UnitTail(k) >= w.from {
		out.Put(k, it, AsIs)
		return
	}
	for _, x := range w.exceptions {
		if kept, ok := x.keeps(in, k, unit); ok {
			out.Put(k, kept, ByEdit)
			return
		}
	}
	if k >= w.from {
		out.Drop(k, w.orphan)
	} else {
		out.Drop(k, w.older)
	}
}

// onUser begins a window at the next user message, where there is one.
func onUser(in *Layer, w *window) Key {
	if w.start > 0 {
		if k := w.users.Next(w.start); k >= 0 {
			return max(w.start, in.Prev(k)+1)
		}
	}
	return w.start
}

// unitCounts counts the live messages of each unit. A unit may be in the view
// without its first message.
type unitCounts struct {
	live    []int32 // per head
	counted *Set    // messages counted
	heads   *Set    // heads of units with live messages
}

func (u *unitCounts) follow(in *Layer) {
	if u.live == nil {
		u.live, u.counted, u.heads = make([]int32, in.Size()), NewSet(in.Size()), NewSet(in.Size())
	}
	for _, k := range in.Changed() {
		live := in.Live(k)
		if live == u.counted.Has(k) {
			continue
		}
		unit := in.UnitHead(k)
		u.counted.Put(k, live)
		u.live[unit] += 2*b2i(live) - 1
		u.heads.Put(unit, u.live[unit] > 0)
	}
}

// firstUnit keeps the first unit of a view.
type firstUnit struct{ now, was Key }

// pinFirst makes a window keep the first unit too.
func (w *window) pinFirst() { w.exceptions = append(w.exceptions, &firstUnit{-1, -1}) }

func (x *firstUnit) move(_ *Facts, in *Layer, w *window) { x.was, x.now = x.now, in.From(w.head) }

// again decides about whole groups: the first message may be a result that comes
// before its call.
func (x *firstUnit) again(in, out *Layer, w *window) {
	againBoth(in, out, w, x.was, x.now)
}

func (x *firstUnit) keeps(in *Layer, k, unit Key) (Item, bool) {
	return in.At(k), x.now >= 0 && unit == in.UnitHead(x.now)
}

// againBoth decides about two units, where they differ; -1 is none.
func againBoth(in, out *Layer, w *window, was, now Key) {
	if was == now {
		return
	}
	for _, k := range []Key{was, now} {
		if k >= 0 {
			w.decideUnit(in, out, k)
		}
	}
}
