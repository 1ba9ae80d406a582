package match

import "golang.org/x/sys/cpu"

// pairIn returns the position of the first pair among blocks of 64 positions of data, or -1. It reads 64 bytes for each block,
// and as many at a distance of apart. It needs AVX2.
//
//go:noescape
func pairIn(data *byte, blocks, apart int, a, b, as, bs byte) int

// wide returns the position of the first pair in data from at on that it can find 64 positions at a time, and ok, or the
// position from which fewer than 64 are left.
func (p *pair) wide(data []byte, at int) (found int, ok bool) {
	blocks := (len(data) - p.apart - at) / 64
	if blocks <= 0 || !cpu.X86.HasAVX2 {
		return at, false
	}
	if i := pairIn(&data[at], blocks, p.apart, byte(p.a), byte(p.b), byte(p.as), byte(p.bs)); i >= 0 {
		return at + i, true
	}
	return at + 64*blocks, false
}
