// Package chart computes a bar chart of the context at every provider call: one column for one or
// more calls, stacked by kind of message, with marks.
//
// It counts cells and must never depend on colours or screens.
package chart

// Kinds is the number of kinds of messages that are stacked.
const Kinds = 5

// A Mark is an event at a call. A column has a set of them.
type Mark uint8

// The marks.
const (
	Broke   Mark = 1 << iota // a prompt cache lost part of the prompt
	Failed                   // a tool call or the harness failed before the call
	Cut                      // a compaction or a context edit took effect
	Unknown                  // the record does not say what was sent
	Fell                     // the prompt shrank without a recorded reason
	Midway                   // the record begins here, but the conversation began earlier
	Acted                    // a stateful stage of the chain changed the view
)

// Data is the size of the context at every call.
type Data struct {
	Tokens [Kinds][]int64 // by kind, from call 1
	Marks  []Mark         // from call 1
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

// A Column is one column of a chart. It shows the largest of its calls.
type Column struct {
	From, To int // calls, from 1
	Largest  int // the largest call
	Marks    Mark
	tokens   [Kinds]int64
	total    int64
}

// A Chart holds the columns for one width.
type Chart struct {
	Columns []Column
	Max     int64 // tokens of the largest call
	MaxCall int
	Wide    int // width of a column, in cells
}

// maxWide bounds the width of a column, in cells.
const maxWide = 3

// New returns the chart of d in at most width cells.
func New(d *Data, width int) *Chart {
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

// At returns the index of the column of a call.
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

// Cell returns the kind that fills most of a cell, or -1 if the cell is empty, and the number of
// filled eighths. Row 0 is the lowest of rows.
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
