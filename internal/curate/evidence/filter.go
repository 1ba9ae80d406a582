package evidence

import "iter"

// A filter rejects most hashes that are not in a set with a single access to memory that fits a cache. Its
// zero value filters nothing.
type filter struct {
	bits []uint64
	mask uint64 // of the indices into bits
}

// filterOf returns a filter for n hashes, with at least 16 bits for each.
func filterOf(n int, lists ...iter.Seq[uint64]) filter {
	words := 1
	for words*64 < 16*n {
		words *= 2
	}
	f := filter{bits: make([]uint64, words), mask: uint64(words - 1)}
	for _, list := range lists {
		for h := range list {
			f.add(h)
		}
	}
	return f
}

// add adds a hash to a filter that is not zero.
func (f *filter) add(h uint64) {
	if f.bits != nil {
		f.bits[h>>6&f.mask] |= places(h)
	}
}

// has reports whether a hash may be in the set.
func (f *filter) has(h uint64) bool {
	return f.bits == nil || f.bits[h>>6&f.mask]&places(h) == places(h)
}

// places returns the bits of a hash in its word: three, so that few other hashes have the same.
func places(h uint64) uint64 { return 1<<(h&63) | 1<<(h>>40&63) | 1<<(h>>50&63) }
