// Package timeline lays the size of the context at every provider call out in
// columns: stacked by kind of message, with marks under them.
//
// It counts cells and knows nothing of colours and screens.
package timeline

// Kinds is how many kinds of messages are stacked.
const Kinds = 5

// A Mark is something that happened at a call; a column holds a set of them.
type Mark uint8

// The marks, the one to be shown first last.
const (
	Broke   Mark = 1 << iota // the prefix of the call before was not kept
	Failed                   // a tool call or the harness failed before the call
	Cut                      // a compaction or the like took effect
	Unknown                  // the record does not tell what was sent
)

// Data is the size of the context at every call.
type Data struct {
	Tokens [Kinds][]int64 // by kind, of call 1 on
	Marks  []Mark         // of call 1 on
}

// Calls is the number of calls.
func (d *Data) Calls() int { return len(d.Marks) }

// Total is the size of the context at a call, from 1.
func (d *Data) Total(call int) int64 {
	var n int64
	for k := range d.Tokens {
		if call >= 1 && call <= len(d.Tokens[k]) {
			n += d.Tokens[k][call-1]
		}
	}
	return n
}

// A Column is what stands in one column: one call, or several of which it shows the
// largest.
type Column struct {
	From, To int // calls, from 1
	Largest  int // the call whose size is shown
	Marks    Mark
	tokens   [Kinds]int64
	total    int64
}

// A Chart is the data laid out for a width.
type Chart struct {
	Columns []Column
	Max     int64 // tokens of the largest
	MaxCall int
	Wide    int // cells of a column: a few calls are given more than one
}

// maxWide bounds the width of a column, in cells.
const maxWide = 3

// Lay lays d out in at most width cells.
func Lay(d *Data, width int) *Chart {
	n := d.Calls()
	c := &Chart{Wide: 1}
	if n == 0 || width < 1 {
		return c
	}
	columns := min(n, width)
	c.Wide = min(max(width/columns, 1), maxWide)
	c.Columns = make([]Column, columns)
	for i := range c.Columns {
		col := &c.Columns[i]
		col.From, col.To = i*n/columns+1, (i+1)*n/columns
		for call := col.From; call <= col.To; call++ {
			col.Marks |= d.Marks[call-1]
			if total := d.Total(call); total > col.total || col.Largest == 0 {
				col.total, col.Largest = total, call
			}
		}
		for k := range col.tokens {
			col.tokens[k] = d.Tokens[k][col.Largest-1]
		}
		if col.total > c.Max || c.MaxCall == 0 {
			c.Max, c.MaxCall = col.total, col.Largest
		}
	}
	return c
}

// At is the column of a call.
func (c *Chart) At(call int) int {
	lo, hi := 0, len(c.Columns)
	for lo < hi {
		if mid := (lo + hi) / 2; c.Columns[mid].To < call {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return min(lo, len(c.Columns)-1)
}

// Cell says what stands in a cell of a column: row 0 is the lowest of rows. kind is
// the one that takes most of the cell, -1 where it is empty; eighths is how much of
// it is filled, 1 to 8.
func (c *Chart) Cell(col, row, rows int) (kind, eighths int) {
	if c.Max <= 0 {
		return -1, 0
	}
	column := &c.Columns[col]
	low, high := int64(row)*c.Max, int64(row+1)*c.Max
	kind = -1
	var at, most int64
	for k, n := range column.tokens {
		from := at
		at += n * int64(rows)
		if part := min(at, high) - max(from, low); part > most {
			kind, most = k, part
		}
	}
	if kind < 0 {
		return -1, 0
	}
	filled := min(at, high) - low
	return kind, int(min(max((filled*8+c.Max/2)/c.Max, 1), 8))
}
