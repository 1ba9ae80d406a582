package kit

import (
	"context"
	"math/rand/v2"
	"testing"
)

// What a hunt finds is what looking at place after place finds, in either direction and
// from every place, in slices of any size.
func TestHuntFindsTheNext(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		held := make([]bool, r.IntN(6))
		for i := range held {
			held[i] = r.IntN(3) == 0
		}
		n, step := len(held), 1-2*r.IntN(2)
		at := r.IntN(n+1) - 1
		want := -1
		for i := 1; i <= n && want < 0; i++ {
			if k := ((at+step*i)%n + n) % n; held[k] {
				want = k
			}
		}
		h := &Find{Count: n, At: at, Step: step, Size: func(int) int { return r.IntN(20) }, Holds: func(i int) bool { return held[i] }}
		found, done := -1, false
		for !done {
			found, done = h.Next(context.Background(), 40)
		}
		if found != want {
			t.Fatalf("from %d by %d in %v: %d, want %d", at, step, held, found, want)
		}
	}
}
