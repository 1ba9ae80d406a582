package kit

import (
	"math/rand/v2"
	"testing"
)

// flat lists all lines of a list.
func flat(heights []int) []Position {
	var all []Position
	for i, h := range heights {
		for line := range h {
			all = append(all, Position{i, line})
		}
	}
	return all
}

func indexOf(all []Position, p Position) int {
	for i := range all {
		if all[i] == p {
			return i
		}
	}
	return -1
}

func listOf(heights []int) *List {
	l := &List{Count: len(heights), Height: func(i int) int { return heights[i] }, Skip: func(i, _ int) int { return i }}
	l.Clamp()
	return l
}

// TestListAgainstLines compares random moves in a list with moves in the flat list of its
// lines.
func TestListAgainstLines(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		heights := make([]int, 1+r.IntN(30))
		for i := range heights {
			heights[i] = r.IntN(6)
		}
		heights[r.IntN(len(heights))] = 3 // at least one line
		all := flat(heights)
		l := listOf(heights)
		rows := 1 + r.IntN(12)
		l.Reveal(rows)
		for range 60 {
			switch r.IntN(5) {
			case 0:
				l.MoveBy(r.IntN(9)-4, rows)
			case 1:
				l.PageBy(r.IntN(2*rows+1)-rows, rows)
			case 2:
				l.ScrollBy(r.IntN(9)-4, rows)
			case 3:
				l.MoveItem(1-2*r.IntN(2), rows)
			case 4:
				l.GoTo(r.IntN(len(heights)), rows)
			}
			top, cursor := indexOf(all, l.Top), indexOf(all, l.Cursor)
			if top < 0 || cursor < top || cursor >= top+rows {
				t.Fatalf("round %d: top %v (line %d), cursor %v (line %d), %d rows, heights %v", round, l.Top, top, l.Cursor, cursor, rows, heights)
			}
			if top > 0 && top > len(all)-rows {
				t.Fatalf("round %d: blank lines at the end: top line %d of %d, %d rows", round, top, len(all), rows)
			}
		}
	}
}

func TestListMove(t *testing.T) {
	l := listOf([]int{1, 0, 3, 1})
	for _, c := range []struct {
		from Position
		n    int
		want Position
	}{
		{Position{0, 0}, 1, Position{2, 0}},
		{Position{0, 0}, 3, Position{2, 2}},
		{Position{0, 0}, 99, Position{3, 0}},
		{Position{3, 0}, -1, Position{2, 2}},
		{Position{3, 0}, -99, Position{0, 0}},
		{Position{2, 1}, 0, Position{2, 1}},
	} {
		if got := l.Move(c.from, c.n); got != c.want {
			t.Errorf("move(%v, %d) = %v, want %v", c.from, c.n, got, c.want)
		}
	}
}

func TestEmptyList(t *testing.T) {
	l := listOf(nil)
	l.MoveBy(3, 5)
	l.ScrollBy(3, 5)
	l.MoveItem(1, 5)
	l.GoTo(7, 5)
	if l.Top != (Position{}) || l.Cursor != (Position{}) {
		t.Errorf("an empty list has top %v and cursor %v, want zero", l.Top, l.Cursor)
	}
}
