package timeline

import (
	"math/rand/v2"
	"testing"
)

func data(calls int, r *rand.Rand) *Data {
	d := &Data{Marks: make([]Mark, calls)}
	for k := range d.Tokens {
		d.Tokens[k] = make([]int64, calls)
		for i := range calls {
			d.Tokens[k][i] = r.Int64N(10_000)
		}
	}
	for i := range calls {
		d.Marks[i] = Mark(r.IntN(16))
	}
	return d
}

// Every call belongs to one column, in order, and no mark is lost.
func TestEveryCallHasItsColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		d := data(1+r.IntN(400), r)
		c := Lay(d, 1+r.IntN(200))
		next := 1
		for i := range c.Columns {
			col := &c.Columns[i]
			if col.From != next || col.To < col.From || col.Largest < col.From || col.Largest > col.To {
				t.Fatalf("column %d holds %d to %d, largest %d; %d was next", i, col.From, col.To, col.Largest, next)
			}
			for call := col.From; call <= col.To; call++ {
				if c.At(call) != i {
					t.Fatalf("call %d is in column %d, not %d", call, c.At(call), i)
				}
				if col.Marks|d.Marks[call-1] != col.Marks || d.Total(call) > d.Total(col.Largest) {
					t.Fatalf("column %d lost call %d", i, call)
				}
			}
			next = col.To + 1
		}
		if next != d.Calls()+1 {
			t.Fatalf("the columns end at call %d, want %d", next-1, d.Calls())
		}
		if c.Max != d.Total(c.MaxCall) {
			t.Fatalf("the largest is %d, call %d has %d", c.Max, c.MaxCall, d.Total(c.MaxCall))
		}
	}
}

// A column is filled from the bottom without gaps. Its height is proportional to its size.
func TestColumnsHaveNoGaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		d := data(1+r.IntN(30), r)
		c := Lay(d, 40)
		rows := 1 + r.IntN(8)
		for i := range c.Columns {
			eighths, over := 0, false
			for row := range rows {
				kind, n := c.Cell(i, row, rows)
				switch {
				case kind < 0 && n != 0, n > 8, kind >= Kinds, over && n > 0:
					t.Fatalf("row %d: kind %d, %d eighths", row, kind, n)
				case n < 8:
					over = true
				}
				eighths += n
			}
			want := float64(d.Total(c.Columns[i].Largest)) * float64(8*rows) / float64(c.Max)
			if diff := float64(eighths) - want; diff > 1 || diff < -1 {
				t.Fatalf("%d of %d eighths, want %.1f", eighths, 8*rows, want)
			}
		}
	}
}

func TestNoCalls(t *testing.T) {
	if c := Lay(&Data{}, 10); len(c.Columns) != 0 {
		t.Error("a chart without calls has columns")
	}
}
