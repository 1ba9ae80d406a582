package keyset

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMinTree compares the tree with a linear search.
func TestMinTree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n := 1 + rnd.IntN(40)
		tree, plain := NewMinima(n), make([]int32, n)
		for range 60 {
			k := rnd.IntN(n)
			plain[k] = int32(rnd.IntN(12))
			tree.Set(int32(k), plain[k])
			from, limit := rnd.IntN(n+1)-1, int64(rnd.IntN(14)-1)
			want := int32(from)
			for want >= 0 && (plain[want] == 0 || int64(plain[want]) > limit) {
				want--
			}
			if got := tree.LastUpTo(int32(from), limit); got != want {
				t.Fatalf("last of %v up to %d within %d: %d, want %d", plain, from, limit, got, want)
			}
		}
	}
	if got := NewMinima(3).LastUpTo(2, math.MaxInt64); got != -1 {
		t.Errorf("an empty tree has %d", got)
	}
}
