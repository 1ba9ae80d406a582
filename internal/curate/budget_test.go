package curate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTokenBudget holds what of a small history fits. Every text of four letters
// takes one token and the frame of its message.
func TestTokenBudget(t *testing.T) {
	run, thread, sizes := said(t, "s abcd", "u aaaa\nbbbb\ncccc", "a dddd\neeee\nffff\ngggg\nhhhh\niiii\njjjj", "u kkkk")
	in := Input{Run: run, Thread: thread, Sizes: sizes}
	system, long, short := int(sizes.Tokens[0]), int(sizes.Tokens[2]), int(sizes.Tokens[1])
	newest := int(sizes.Tokens[3])
	for _, tc := range []struct {
		budget int
		params string
		want   string
	}{
		{system + newest, "", "0 system abcd | 3 user kkkk"},
		{system + newest + short, "", "0 system abcd | 3 user kkkk"},
		{system + newest + short, ", fit=best", "0 system abcd | 1 user aaaa\nbbbb\ncccc | 3 user kkkk"},
		{system + newest + long - 1, ", partial=true", "0 system abcd | 2 assistant eeee\nffff\ngggg\nhhhh\niiii\njjjj | 3 user kkkk"},
		{system + newest + long - 1, ", partial=true, start_on=user", "0 system abcd | 3 user kkkk"},
		{system + newest + long + short - 1, ", partial=true, start_on=user", "0 system abcd | 1 user bbbb\ncccc | 2 assistant dddd\neeee\nffff\ngggg\nhhhh\niiii\njjjj | 3 user kkkk"},
		{system + newest + 1, ", partial=true", "0 system abcd | 3 user kkkk"},
		{system - 1, ", fit=best", "0 system abcd"},
	} {
		chain := "token_budget(" + formatNumber(float64(tc.budget)) + tc.params + ")"
		v := views(t, in, chain).View(2)
		if got := kept(t, run, thread, v); got != tc.want {
			t.Errorf("%s: %q, want %q", chain, got, tc.want)
		}
		if v.Curated.Tokens > int64(max(tc.budget, system)) {
			t.Errorf("%s: the view has %d tokens", chain, v.Curated.Tokens)
		}
	}
}

// TestMinTree holds the tree against a plain walk.
func TestMinTree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n := 1 + rnd.IntN(40)
		tree, plain := NewMinima(n), make([]int32, n)
		for range 60 {
			k := rnd.IntN(n)
			plain[k] = int32(rnd.IntN(12))
			tree.Set(Key(k), plain[k])
			from, limit := rnd.IntN(n+1)-1, int64(rnd.IntN(14)-1)
			want := Key(from)
			for want >= 0 && (plain[want] == 0 || int64(plain[want]) > limit) {
				want--
			}
			if got := tree.LastUpTo(Key(from), limit); got != want {
				t.Fatalf("last of %v up to %d within %d: %d, want %d", plain, from, limit, got, want)
			}
		}
	}
	if got := NewMinima(3).LastUpTo(2, math.MaxInt64); got != -1 {
		t.Errorf("an empty tree has %d", got)
	}
}
