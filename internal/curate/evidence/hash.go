package evidence

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// A hasher returns hashes of words. Those of one name are the same at every start of the program, so that they can be
// kept; those of another name differ.
type hasher [2]uint64

func newHasher(name string) hasher {
	sum := sha256.Sum256([]byte(name))
	return hasher{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:]) | 1}
}

// of returns the hash of a word. It mixes 16 bytes at a time by a multiplication, as wyhash does.
func (h hasher) of(s string) uint64 {
	sum, n := h[0], len(s)
	var a, b uint64
	switch {
	case n > 16:
		for at := 0; at < n-16; at += 16 {
			sum = mixed(eight(s, at)^h[1], eight(s, at+8)^sum)
		}
		a, b = eight(s, n-16), eight(s, n-8)
	case n >= 8:
		a, b = eight(s, 0), eight(s, n-8)
	default:
		for i := range n {
			a = a<<8 | uint64(s[i])
		}
	}
	return mixed(h[1]^uint64(n), mixed(a^h[1], b^sum))
}

// mixed multiplies two numbers and folds the product.
func mixed(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// eight returns the eight bytes of a text at a position.
func eight(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
