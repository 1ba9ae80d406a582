package claudecode

// A table finds things by a hash of their id.
type table struct {
	slots []slot // a power of two of them
	n     int
}

// A slot is a thing's hash and its number+1; 0 for none.
type slot struct {
	hash uint32 // the upper half; the lower tells where it stands
	n    int32
}

// find gives the number of the thing with a hash, or -1. Two hashes that share
// their upper half and stand together are told apart by key.
func (t *table) find(hash uint64, key func(int32) uint64) int32 {
	if t.n == 0 {
		return -1
	}
	mask := uint64(len(t.slots) - 1)
	for at := hash & mask; t.slots[at].n != 0; at = (at + 1) & mask {
		if s := t.slots[at]; s.hash == uint32(hash>>32) && key(s.n-1) == hash {
			return s.n - 1
		}
	}
	return -1
}

// add puts in a thing that is not there yet.
func (t *table) add(hash uint64, n int32, key func(int32) uint64) {
	if 2*(t.n+1) > len(t.slots) {
		old := t.slots
		t.slots = make([]slot, max(64, 2*len(old)))
		for _, s := range old {
			if s.n != 0 {
				t.put(key(s.n-1), s)
			}
		}
	}
	t.n++
	t.put(hash, slot{uint32(hash >> 32), n + 1})
}

func (t *table) put(hash uint64, s slot) {
	mask := uint64(len(t.slots) - 1)
	at := hash & mask
	for t.slots[at].n != 0 {
		at = (at + 1) & mask
	}
	t.slots[at] = s
}
