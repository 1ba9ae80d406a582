package tokens

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// A vocab holds the tokens of an encoding. The rank of a token is its number; pairs of lower
// rank are merged first.
type vocab struct {
	bytes string   // all tokens, ordered by rank
	start []uint32 // start of each token in bytes, followed by the end
	slots []uint32 // hash table: rank+1 in the low bits, part of the hash above
	pairs []uint32 // rank of two bytes, indexed by first<<8 | second
}

const (
	rankBits = 18
	rankMask = 1<<rankBits - 1
	noRank   = rankMask // not a token; higher than any rank
)

// unpack reads a file written by tools/vocabularies.
func unpack(packed []byte) (*vocab, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var unpacked bytes.Buffer
	unpacked.Grow(2 * len(packed))
	if _, err := unpacked.ReadFrom(z); err != nil {
		return nil, err
	}
	data := unpacked.Bytes()
	if len(data) < 4 {
		return nil, fmt.Errorf("%d bytes, too few for a vocabulary", len(data))
	}
	n := int(binary.LittleEndian.Uint32(data))
	data = data[4:]
	if n >= noRank || n > len(data) {
		return nil, fmt.Errorf("%d tokens in %d bytes", n, len(data))
	}
	v := &vocab{
		bytes: string(data[n:]),
		start: make([]uint32, n+1),
		slots: make([]uint32, 1<<bits.Len(uint(2*n))),
		pairs: make([]uint32, 1<<16),
	}
	for i, length := range data[:n] {
		v.start[i+1] = v.start[i] + uint32(length)
	}
	if end := int(v.start[n]); end != len(v.bytes) {
		return nil, fmt.Errorf("the tokens have %d bytes, their lengths add up to %d", len(v.bytes), end)
	}
	v.index()
	return v, nil
}

// index fills the hash table and the pairs.
func (v *vocab) index() {
	for i := range v.pairs {
		v.pairs[i] = noRank
	}
	mask := uint64(len(v.slots) - 1)
	for rank := range uint32(len(v.start) - 1) {
		token := v.token(rank)
		if len(token) == 2 {
			v.pairs[int(token[0])<<8|int(token[1])] = rank
		}
		h := hash(token)
		at := h & mask
		for v.slots[at] != 0 {
			at = (at + 1) & mask
		}
		v.slots[at] = tag(h) | (rank + 1)
	}
}

func (v *vocab) token(rank uint32) string { return v.bytes[v.start[rank]:v.start[rank+1]] }

// rank returns the rank of a token, or noRank.
func (v *vocab) rank(p string) uint32 {
	h := hash(p)
	mask := uint64(len(v.slots) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		slot := v.slots[at]
		if slot == 0 {
			return noRank
		}
		if (slot^tag(h))>>rankBits == 0 {
			if rank := slot&rankMask - 1; v.token(rank) == p {
				return rank
			}
		}
	}
}

// tag returns the bits of a hash that a slot stores above the rank.
func tag(h uint64) uint32 { return uint32(h>>32) &^ rankMask }

const (
	mix1 = 0x9E3779B97F4A7C15
	mix2 = 0xD6E8FEB86659FD93
)

func hash(p string) uint64 {
	h := uint64(len(p)) * mix2
	for ; len(p) > 16; p = p[8:] {
		h = (h ^ load8(p)) * mix1
		h ^= h >> 29
	}
	a, b := ends(p)
	return finish(h^a, b)
}

func finish(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^mix1, b^mix2)
	return (hi ^ lo) * mix1
}

// ends packs the first and the last eight bytes of up to 16 bytes. They overlap in short
// pieces. Together with the length they identify the piece.
func ends(p string) (first, last uint64) {
	switch n := len(p); {
	case n >= 8:
		return load8(p), load8(p[n-8:])
	case n >= 4:
		return load4(p) | load4(p[n-4:])<<32, 0
	case n > 0:
		return uint64(p[0]) | uint64(p[n/2])<<8 | uint64(p[n-1])<<16, 0
	}
	return 0, 0
}

func load8(p string) uint64 {
	_ = p[7]
	return uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24 |
		uint64(p[4])<<32 | uint64(p[5])<<40 | uint64(p[6])<<48 | uint64(p[7])<<56
}

func load4(p string) uint64 {
	_ = p[3]
	return uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24
}
