package match

import (
	"encoding/binary"
	"math/bits"
)

// A pair is two bytes at a fixed distance. Each byte of a record is frequent, but two are rarely found together, so a
// search for a pair stops less often than one for a single byte, and it compares at least eight positions at a time.
type pair struct {
	a, b   uint64 // the byte at each of eight positions
	as, bs uint64 // bits that are set before the comparison: 0x20 ignores the case of a letter
	apart  int    // distance of b from a
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// newPair returns a search for a followed by b at a distance of apart bytes. With fold, it ignores the case of
// lower-case letters.
func newPair(a, b byte, apart int, fold bool) pair {
	p := pair{a: uint64(a) * ones, b: uint64(b) * ones, apart: apart}
	if fold && lower(a) {
		p.as = 0x20 * ones
	}
	if fold && lower(b) {
		p.bs = 0x20 * ones
	}
	return p
}

func lower(c byte) bool { return c >= 'a' && c <= 'z' }

// apartIn returns a value of which a byte is zero where a position holds the pair, for eight positions that begin at
// first and at second.
func (p *pair) apartIn(first, second []byte) uint64 {
	return ((binary.LittleEndian.Uint64(first) | p.as) ^ p.a) | ((binary.LittleEndian.Uint64(second) | p.bs) ^ p.b)
}

// zeros marks the zero bytes of w by their high bits. The lowest mark is exact, later ones may be wrong.
func zeros(w uint64) uint64 { return (w - ones) &^ w & highs }

// index returns the position of the next pair in data from at on, or -1.
func (p *pair) index(data []byte, at int) int {
	const step = 32
	at, ok := p.wide(data, at)
	if ok {
		return at
	}
	q := *p // in registers
	for ; at+step+q.apart <= len(data); at += step {
		x, y := data[at:at+step:at+step], data[at+q.apart:at+q.apart+step]
		a, b, c, d := q.apartIn(x, y), q.apartIn(x[8:], y[8:]), q.apartIn(x[16:], y[16:]), q.apartIn(x[24:], y[24:])
		if ((a-ones)&^a|(b-ones)&^b|(c-ones)&^c|(d-ones)&^d)&highs == 0 {
			continue
		}
		for i, w := range [...]uint64{a, b, c, d} {
			if z := zeros(w); z != 0 {
				return at + 8*i + bits.TrailingZeros64(z)/8
			}
		}
	}
	for ; at+q.apart < len(data); at++ {
		if (data[at]|byte(q.as)) == byte(q.a) && (data[at+q.apart]|byte(q.bs)) == byte(q.b) {
			return at
		}
	}
	return -1
}
