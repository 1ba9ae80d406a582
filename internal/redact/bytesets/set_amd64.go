package bytesets

import "golang.org/x/sys/cpu"

// block is the number of bytes that are looked at together.
const block = 32

// nextIn returns the offset of the first byte of a set in the whole blocks of text, or -1. It needs AVX2.
//
//go:noescape
func nextIn(text string, low, high *[16]uint8) int

// runIn returns the offset of the first two groups of eight bytes of a set in the whole blocks of text, or -1. It looks at
// groups that begin at a multiple of eight bytes. It needs AVX2.
//
//go:noescape
func runIn(text string, low, high *[16]uint8) int

// wideNext returns the offset of the first byte of the set that it can find a block at a time from i on, and ok, or the
// offset from which less than a block is left.
func (s *Set) wideNext(text string, i int) (at int, ok bool) {
	if len(text)-i < block || !cpu.X86.HasAVX2 {
		return i, false
	}
	if n := nextIn(text[i:], &s.low, &s.high); n >= 0 {
		return i + n, true
	}
	return len(text) - (len(text)-i)%block, false
}

// wideRun returns an offset within the first run from i on that may be long enough, and ok, or the offset from which less
// than a block is left.
func (s *Set) wideRun(text string, i int) (at int, ok bool) {
	if len(text)-i < block || !cpu.X86.HasAVX2 {
		return i, false
	}
	if n := runIn(text[i:], &s.low, &s.high); n >= 0 {
		return i + n, true
	}
	return len(text) - (len(text)-i)%block, false
}
