package curate

// recent finds the newest of some marked keys: from edge on there are n of them.
type recent struct {
	marked *Set
	edge   Key
	n      int
}

func newRecent(size int) *recent { return &recent{marked: NewSet(size)} }

// mark notes whether k counts.
func (r *recent) mark(k Key, on bool) {
	if on == r.marked.Has(k) {
		return
	}
	diff := 1
	if on {
		r.marked.Add(k)
	} else {
		r.marked.Remove(k)
		diff = -1
	}
	if k >= r.edge {
		r.n += diff
	}
}

// forward moves the edge on until no more than keep are left from it on.
func (r *recent) forward(keep int) {
	for r.n > keep {
		r.edge = r.marked.Next(r.edge) + 1
		r.n--
	}
}

// slide moves the edge, back too, so that from it on are the newest keep, or all
// where there are fewer.
func (r *recent) slide(keep int) {
	r.forward(keep)
	for r.n < keep && r.edge > 0 {
		k := r.marked.Prev(r.edge - 1)
		if k < 0 {
			r.edge = 0
			return
		}
		r.edge = k
		r.n++
	}
}

// between calls do for the marked keys in [from, to), either way round.
func (r *recent) between(from, to Key, do func(Key)) {
	from, to = min(from, to), max(from, to)
	for k := r.marked.Next(from); k >= 0 && k < to; k = r.marked.Next(k + 1) {
		do(k)
	}
}
