package source

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// manyLines returns a text of several blocks, some of whose lines are longer than a block.
func manyLines(seed uint64) string {
	rnd := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for b.Len() < 5*blockLen {
		n := rnd.IntN(2000)
		if rnd.IntN(2000) == 0 {
			n = blockLen + rnd.IntN(2*blockLen)
		}
		b.WriteString(strings.Repeat(string(rune('a'+rnd.IntN(26))), n))
		if rnd.IntN(20) > 0 || n > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestParseLinesIsEachLine(t *testing.T) {
	type record struct{ all string }
	for seed := range uint64(4) {
		text := manyLines(seed)
		if seed%2 == 0 {
			text += "torn"
		}
		f, err := FromReader("test", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		type line struct {
			data   string
			off    int64
			number int
			open   bool
		}
		var want, got []line
		f.EachLine(context.Background(), 0, 0, func(l Line) bool {
			want = append(want, line{string(l.Data), l.Off, l.Number, l.Open})
			return true
		})
		err = ParseLines(context.Background(), f,
			func(r *record, l Line) { r.all = string(l.Data) },
			func(r *record, l Line) bool {
				got = append(got, line{r.all, l.Off, l.Number, l.Open})
				return true
			})
		if err != nil || len(got) != len(want) {
			t.Fatalf("seed %d: %d lines, want %d, %v", seed, len(got), len(want), err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("seed %d: line %d differs: %d at %d, want %d at %d", seed, i+1, len(got[i].data), got[i].off, len(want[i].data), want[i].off)
			}
		}
	}
}

func TestParseLinesStops(t *testing.T) {
	f, err := FromReader("test", strings.NewReader(manyLines(9)))
	if err != nil {
		t.Fatal(err)
	}
	parse := func(n *int, l Line) { *n = len(l.Data) }
	seen := 0
	if err := ParseLines(context.Background(), f, parse, func(*int, Line) bool { seen++; return seen < 3000 }); err != nil || seen != 3000 {
		t.Errorf("stopped by take after %d lines, %v", seen, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = ParseLines(ctx, f, parse, func(*int, Line) bool { cancel(); return true })
	if err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	defer func() {
		if p := recover(); fmt.Sprint(p) != "line 2000" {
			t.Errorf("a panic of parse came as %v", p)
		}
	}()
	count := 0
	ParseLines(context.Background(), f, func(_ *int, l Line) {
		if l.Off > 3*blockLen {
			panic("line 2000")
		}
	}, func(*int, Line) bool { count++; return true })
	t.Errorf("went on over a panic, to line %d", count)
}
