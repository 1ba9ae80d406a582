package arena

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	const pieces = blockSize / 8
	var s Of[int]
	var singles []*int
	lists := map[int][]int{}
	for i := range 3 * pieces {
		singles = append(singles, &s.Add(nil, i)[0])
		for j := range i % 5 { // in place, or elsewhere where it does not fit
			lists[i] = s.Add(lists[i], j)
		}
		lists[i/2] = s.Add(lists[i/2], 100) // an earlier list
	}
	for i, p := range singles {
		if *p != i {
			t.Fatalf("value %d is %d", i, *p)
		}
	}
	for i, list := range lists {
		want := []int{0, 1, 2, 3}[:i%5]
		for range min(2, max(0, 3*pieces-2*i)) {
			want = append(slices.Clip(want), 100)
		}
		if i == 0 {
			want = []int{100, 100}
		}
		if !slices.Equal(list, want) {
			t.Fatalf("list %d is %v, want %v", i, list, want)
		}
	}
}

func TestText(t *testing.T) {
	var s Text
	var kept []string
	word := func(i int) []byte { return fmt.Appendf(nil, "id-%d", i) }
	for i := range 5000 {
		kept = append(kept, s.Of(word(i)))
	}
	for i, got := range kept {
		if got != string(word(i)) {
			t.Fatalf("text %d is %q", i, got)
		}
	}
	long := bytes.Repeat([]byte("x"), textLen)
	if got := s.Of(long); got != string(long) || s.Of(nil) != "" {
		t.Errorf("a long text has %d bytes, want %d", len(got), len(long))
	}
	if n := testing.AllocsPerRun(1000, func() { s.Of(word(7)[:4]) }); n > 1.2 {
		t.Errorf("%.1f allocations for a short text, one of them the test's", n)
	}
}
