package match

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestPair compares the search for pairs with one that looks at each position.
func TestPair(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for range 3000 {
		data := make([]byte, rnd.IntN(150))
		for i := range data {
			data[i] = "ab\\uAB\x80\x00\xe1\xc1@`"[rnd.IntN(12)]
		}
		a, b, apart, fold := anyByte(rnd), anyByte(rnd), rnd.IntN(40), rnd.IntN(2) == 0
		p := newPair(a, b, apart, fold)
		same := func(c, want byte) bool {
			return c == want || fold && want >= 'a' && want <= 'z' && bytes.EqualFold([]byte{c}, []byte{want})
		}
		for at := range len(data) + 1 {
			want := -1
			for i := at; i+apart < len(data) && want < 0; i++ {
				if same(data[i], a) && same(data[i+apart], b) {
					want = i
				}
			}
			if got := p.index(data, at); got != want {
				t.Fatalf("%q and %q, %d apart (fold %t), in %q from %d: %d, want %d", a, b, apart, fold, data, at, got, want)
			}
		}
	}
}

func anyByte(rnd *rand.Rand) byte { return "ab\\u\x00`"[rnd.IntN(6)] }
