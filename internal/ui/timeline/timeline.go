// Package timeline lays out the context size at every provider call as a bar chart. Each
// bar is stacked by kind of message and has marks below it.
//
// The package counts cells. It must never paint or depend on a screen.
package timeline

// Kinds is the number of kinds of messages.
const Kinds = 5

// A Mark is an event at a call. A column holds a set of marks.
type Mark uint8

// The marks, in ascending order of importance.
const (
	Broke   Mark = 1 << iota // the cache breaks at the call
	Failed                   // a tool call or the harness failed before the call
	Cut                      // a compaction or similar edit took effect
	Unknown                  // the record does not contain what was sent
)

// Data is the size of the context at every call.
type Data struct {
	Tokens [Kinds][]int64 // by kind and call, from call 1
	Marks  []Mark         // by call, from call 1
}

// Calls returns the number of calls.
func (d *Data) Calls() int { return len(d.Marks) }

// Total returns the size of the context at a call. Calls count from 1.
func (d *Data) Total(call int) int64 {
	var n int64
	for k := range d.Tokens {
		if call >= 1 && call <= len(d.Tokens[k]) {
			n += d.Tokens[k][call-1]
		}
	}
	return n
}

// A Column shows one call, or the largest of several consecutive calls.
type Column struct {
	From, To int // calls, from 1
	Largest  int // the largest call, whose size is shown
	Marks    Mark
	tokens   [Kinds]int64
	total    int64
}

// A Chart is the layout of the data for a width.
type Chart struct {
	Columns []Column
	Max     int64 // tokens of the largest call
	MaxCall int
	Wide    int // width of a column, in cells
}

// maxWide bounds the width of a column, in cells.
const maxWide = 3

// Lay lays out d in at most width cells.
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

// At returns the column of a call.
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

// Cell returns the content of a cell of a column. Row 0 is the bottom row. kind is the kind
// that fills most of the cell, or -1 for an empty cell. eighths is the filled part, from 1
// to 8.
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
