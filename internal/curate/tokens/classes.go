package tokens

import (
	_ "embed"
	"encoding/binary"
	"unicode/utf8"
)

// A kind is what the patterns tell apart: each character has one. As a set of
// bits, several are asked for at once.
type kind uint8

const (
	other      kind = 1 << iota // marks of punctuation, symbols, controls, unassigned
	upperCase                   // \p{Lu} \p{Lt}
	lowerCase                   // \p{Ll}
	caseless                    // \p{Lm} \p{Lo}
	combining                   // \p{M}
	number                      // \p{N}
	lineEnd                     // \r \n
	whiteSpace                  // the rest of \s
)

// packedClasses is of Unicode 16, which the official tokenizer uses; package
// unicode of the standard library is of another version. tools/vocabularies/classes.mjs writes it.
//
//go:embed classes.bin
var packedClasses string

const (
	blockBits = 7
	blockSize = 1 << blockBits
)

// classes gives the kind of every code point.
type classes struct {
	ascii  [256]kind                              // 0 from 0x80 on
	block  [(utf8.MaxRune + 1) / blockSize]uint16 // which block of kinds
	blocks [][blockSize]kind
}

func newClasses() *classes {
	c := &classes{}
	var block [blockSize]kind
	seen := map[[blockSize]kind]uint16{}
	data, left, k := []byte(packedClasses), 0, kind(0)
	for i := range c.block {
		for j := range block {
			for left == 0 {
				run, n := binary.Uvarint(data)
				data, left, k = data[n:], int(run>>3), 1<<(run&7)
			}
			block[j] = k
			left--
		}
		at, ok := seen[block]
		if !ok {
			at = uint16(len(c.blocks))
			c.blocks = append(c.blocks, block)
			seen[block] = at
		}
		c.block[i] = at
	}
	copy(c.ascii[:utf8.RuneSelf], c.blocks[c.block[0]][:])
	return c
}

// at gives the kind of the character that begins at s[i], and its bytes. Like
// all that follows, it takes s to be valid UTF-8.
func (c *classes) at(s string, i int) (kind, int) {
	if k := c.ascii[s[i]]; k != 0 {
		return k, 1
	}
	return c.wide(s, i)
}

// wide is at for characters of several bytes.
func (c *classes) wide(s string, i int) (kind, int) {
	r, n := rune(s[i]), 2
	switch {
	case r < 0xE0:
		r = r&0x1F<<6 | rune(s[i+1])&0x3F
	case r < 0xF0:
		r, n = r&0x0F<<12|rune(s[i+1])&0x3F<<6|rune(s[i+2])&0x3F, 3
	default:
		r, n = r&0x07<<18|rune(s[i+1])&0x3F<<12|rune(s[i+2])&0x3F<<6|rune(s[i+3])&0x3F, 4
	}
	return c.blocks[c.block[r>>blockBits]][r%blockSize], n
}

// run gives the end of the characters of the kinds that begin at s[i].
func (c *classes) run(s string, i int, kinds kind) int {
	for i < len(s) {
		k, n := c.ascii[s[i]], 1
		if k == 0 {
			k, n = c.wide(s, i)
		}
		if k&kinds == 0 {
			return i
		}
		i += n
	}
	return i
}

// has tells whether a character of the kinds begins at s[i].
func (c *classes) has(s string, i int, kinds kind) bool {
	if i >= len(s) {
		return false
	}
	k, _ := c.at(s, i)
	return k&kinds != 0
}
