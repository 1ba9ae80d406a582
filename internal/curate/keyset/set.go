// Package keyset holds indexes over the keys of a view: sets, sums, minima and the newest
// members. Each is updated and searched in logarithmic time.
//
// The package must never depend on the meaning of a key.
package keyset

import "math/bits"

// A Set is a set of small integers that finds the next and previous member in a few steps, even
// if it is sparse. Each bit of a level marks a non-empty word of the level below.
type Set struct {
	levels [][]uint64
	size   int
}

// NewSet returns an empty set of numbers below size.
func NewSet(size int) *Set {
	b := &Set{size: size}
	for {
		words := (size + 63) / 64
		b.levels = append(b.levels, make([]uint64, max(words, 1)))
		if words <= 1 {
			return b
		}
		size = words
	}
}

// Has reports whether i is in the set.
func (b *Set) Has(i int32) bool {
	return b.levels[0][i>>6]&(1<<(uint(i)&63)) != 0
}

// Add adds i to the set.
func (b *Set) Add(i int32) {
	for _, level := range b.levels {
		level[i>>6] |= 1 << (uint(i) & 63)
		i >>= 6
	}
}

// Put adds i to the set, or removes it.
func (b *Set) Put(i int32, in bool) {
	if in {
		b.Add(i)
	} else {
		b.Remove(i)
	}
}

// Remove removes i from the set.
func (b *Set) Remove(i int32) {
	for _, level := range b.levels {
		level[i>>6] &^= 1 << (uint(i) & 63)
		if level[i>>6] != 0 {
			return
		}
		i >>= 6
	}
}

// Next returns the first member at or after i, or -1.
func (b *Set) Next(i int32) int32 {
	for l := 0; l < len(b.levels); l++ {
		if int(i>>6) >= len(b.levels[l]) {
			return -1
		}
		if w := b.levels[l][i>>6] >> (uint(i) & 63); w != 0 {
			i += int32(bits.TrailingZeros64(w))
			for ; l > 0; l-- {
				i = i<<6 + int32(bits.TrailingZeros64(b.levels[l-1][i]))
			}
			return i
		}
		i = i>>6 + 1
	}
	return -1
}

// Prev returns the last member at or before i, or -1.
func (b *Set) Prev(i int32) int32 {
	for l := 0; l < len(b.levels) && i >= 0; l++ {
		if w := b.levels[l][i>>6] << (63 - uint(i)&63); w != 0 {
			i -= int32(bits.LeadingZeros64(w))
			for ; l > 0; l-- {
				i = i<<6 + 63 - int32(bits.LeadingZeros64(b.levels[l-1][i]))
			}
			return i
		}
		i = i>>6 - 1
	}
	return -1
}
