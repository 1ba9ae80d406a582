package claudecode

// A table maps id hashes to numbers.
type table struct {
	slots []slot // length is a power of two
	n     int
}

// A slot holds an entry's hash and its number plus 1. A slot with n == 0 is empty.
type slot struct {
	hash uint32 // upper half; the lower half determines the position
	n    int32
}

// find returns the number stored for hash, or -1. It calls key to compare full hashes,
// because slots hold only the upper half.
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

// add stores n for a hash that is not in the table.
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
