package term

import (
	"strconv"
	"strings"

	"agentlens/internal/ui/text"
)

// This file compares painted lines cell by cell. Styles begin with a reset, so the style of a cell
// depends on the last sequence before it alone.

// reset is the style without attributes.
const reset = "\x1b[0m"

// A cell is one cell of a painted line: its style and its text. The text of a wide character is in its
// first cell. The text of a character that a line writer pins to its column has the control sequences
// around it.
type cell struct{ style, text string }

// cellsOf splits a painted line into cells.
func cellsOf(list []cell, line string) []cell {
	list = list[:0]
	style := reset
	add := func(text string, wide int) {
		list = append(list, cell{style, text})
		for range wide - 1 {
			list = append(list, cell{style: style})
		}
	}
	for i := 0; i < len(line); {
		if line[i] != 0x1b {
			end := i + runLen(line[i:])
			split(line[i:end], add)
			i = end
			continue
		}
		n := escapeLen(line[i:])
		if line[i+n-1] == 'm' {
			style = line[i : i+n]
		} else if pinned, wide := pinnedLen(line[i:], len(list)); pinned > 0 {
			add(line[i:i+pinned], wide)
			n = pinned
		}
		i += n
	}
	return list
}

// split calls add for every cluster of a text without control sequences.
func split(s string, add func(text string, wide int)) {
	next := text.Boundaries(s)
	for i := 0; i < len(s); {
		if ascii(s, i) {
			add(s[i:i+1], 1)
			i++
			continue
		}
		end := next(i + 1)
		add(s[i:end], text.Width(s[i:end]))
		i = end
	}
}

// ascii reports whether byte i of s is a cluster by itself.
func ascii(s string, i int) bool {
	return s[i] >= ' ' && s[i] < 0x7f && (i+1 == len(s) || s[i+1] < 0x80)
}

// pinnedLen returns the length of the pinned character at the beginning of s, which is in column col,
// and its width, or 0. It ends with the second move to a column.
func pinnedLen(s string, col int) (n, wide int) {
	for moves := 0; n < len(s); {
		if s[n] != 0x1b {
			n += runLen(s[n:])
			continue
		}
		k := escapeLen(s[n:])
		seq := s[n : n+k]
		n += k
		if !strings.HasSuffix(seq, "G") {
			continue
		}
		if moves++; moves == 2 {
			at, err := strconv.Atoi(seq[len("\x1b[") : len(seq)-1])
			if err != nil || at-1 <= col {
				return 0, 0
			}
			return n, at - 1 - col
		}
	}
	return 0, 0
}

// runLen returns the length of the text before the next sequence.
func runLen(s string) int {
	if i := strings.IndexByte(s, 0x1b); i >= 0 {
		return i
	}
	return len(s)
}

// escapeLen returns the length of the control sequence at the beginning of s.
func escapeLen(s string) int {
	for i := 2; i < len(s); i++ {
		if s[i] >= 0x40 && s[i] < 0x7f {
			return i + 1
		}
	}
	return len(s)
}

// A differ appends what turns painted lines into others. It keeps its buffers.
type differ struct{ was, now []cell }

// leastGap is the least number of equal cells between two changes that the cursor jumps over.
const leastGap = 8

// line appends what turns line y, which counts from 1, of a terminal of w cells into another. Cells after
// the end of a line are blank.
func (d *differ) line(b []byte, was, line string, y, w int) []byte {
	d.was, d.now = cellsOf(d.was, was), cellsOf(d.now, line)
	for x := 0; x < len(d.now); {
		if d.same(x) {
			x++
			continue
		}
		x = d.start(x)
		end := d.end(x)
		b = appendCells(appendMove(b, y, x), d.now[x:end])
		x = end
	}
	if n := len(d.now); n < w && n < len(d.was) {
		b = append(appendMove(b, y, n), "\x1b[K"...)
	}
	return b
}

// same reports whether a cell does not change.
func (d *differ) same(x int) bool {
	if x < len(d.was) {
		return d.was[x] == d.now[x]
	}
	return d.now[x] == cell{reset, " "}
}

// start returns the first cell of the character at x, on both lines.
func (d *differ) start(x int) int {
	for x > 0 && (d.now[x].text == "" || x < len(d.was) && d.was[x].text == "") {
		x--
	}
	return x
}

// end returns the end of a change that begins at x: the next gap or the end of the line.
func (d *differ) end(x int) int {
	end, gap := x, 0
	for ; x < len(d.now) && gap < leastGap; x++ {
		if d.same(x) {
			gap++
		} else {
			end, gap = x+1, 0
		}
	}
	for end < len(d.now) && (d.now[end].text == "" || end < len(d.was) && d.was[end].text == "") {
		end++
	}
	return end
}

// appendCells appends cells in their styles, and ends without a style.
func appendCells(b []byte, list []cell) []byte {
	style := reset
	for _, c := range list {
		if c.style != style {
			b, style = append(b, c.style...), c.style
		}
		b = append(b, c.text...)
	}
	if style != reset {
		b = append(b, reset...)
	}
	return b
}
