package evidence

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestFilter checks that a filter contains its hashes and few others, and that a batch reports the same in order.
func TestFilter(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	const n = 1000
	var in, all []uint64
	for i := range 20 * n {
		h := rnd.Uint64()
		if all = append(all, h); i%20 == 0 {
			in = append(in, h)
		}
	}
	l := lookup{known: filterOf(n, slices.Values(in))}
	var got, want []uint64
	b := batch{of: &l, found: func(h uint64, _ bool) { got = append(got, h) }}
	for _, h := range all {
		b.add(h, false)
		if l.known.has(h) {
			want = append(want, h)
		}
	}
	b.flush()
	if !slices.Equal(got, want) {
		t.Errorf("the batch found %d hashes, want %d", len(got), len(want))
	}
	for _, h := range in {
		if !l.known.has(h) {
			t.Fatalf("%x is missing", h)
		}
	}
	if strangers := len(want) - n; strangers > 19*n/50 {
		t.Errorf("%d of %d other hashes passed", strangers, 19*n)
	}
}

func TestStorage(t *testing.T) {
	var s storage
	var texts []string
	var lists [][]int32
	for i := range 20_000 {
		text := strings.Repeat(string(rune('a'+i%26)), i%90)
		if texts = append(texts, s.keep(text)); i%5000 == 0 {
			texts = append(texts, s.keep(strings.Repeat("long", textBlock)))
		}
		lists = append(lists, append(s.list(), int32(i), int32(i), int32(i)))
	}
	for i, j := 0, 0; i < 20_000; i, j = i+1, j+1 {
		if want := strings.Repeat(string(rune('a'+i%26)), i%90); texts[j] != want {
			t.Fatalf("text %d is %q, want %q", i, texts[j], want)
		}
		if i%5000 == 0 {
			j++
		}
		if !slices.Equal(lists[i], []int32{int32(i), int32(i), int32(i)}) {
			t.Fatalf("list %d is %v", i, lists[i])
		}
	}
}

// TestRepeatedLongResults checks results that are too long to be compared at once.
func TestRepeatedLongResults(t *testing.T) {
	long := strings.Repeat("one two three ", 200)
	for _, tc := range []struct {
		name, before, again string
		repeats             int
	}{
		{"the same", long, long, 1},
		{"another beginning", long, "x" + long, 0},
		{"another end", long, long + "x", 0},
		{"unchanged", long, "The file is unchanged. " + strings.Repeat("See the earlier result. ", 60), 1},
	} {
		_, e := lossSaid(t, "user: go", `assistant: read("x")`, "tool: "+tc.before, "user: again", `assistant: read("x")`, "tool: "+tc.again)
		n := 0
		for _, c := range e.calls {
			n += len(c.repeats)
		}
		if n != tc.repeats {
			t.Errorf("%s: %d repeats, want %d", tc.name, n, tc.repeats)
		}
	}
}
