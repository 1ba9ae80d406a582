package term

import (
	"strconv"
	"strings"

	"agentlens/internal/ui/text"
)

// This file compares painted lines. Styles in a line begin with a reset, so a style depends on the
// last sequence before it alone. Line writers never join a cluster with the text before a style.

// reset is the beginning of every style.
const reset = "\x1b[0"

// sharedStart returns the number of bytes that two lines begin with.
func sharedStart(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// sharedEnd returns the index in b of the first style from which on both end alike, or len(b).
func sharedEnd(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	if i := strings.Index(b[len(b)-n:], reset); i >= 0 {
		return len(b) - n + i
	}
	return len(b)
}

// cutAt returns the last place at or before byte n of a line from which on it can be painted alone,
// its column, from 0, and its style.
func cutAt(line string, n int) (at, col int, style string) {
	now, cells := "", 0
	for i := 0; i < n; {
		if line[i] == 0x1b {
			end := i + escapeLen(line[i:])
			if strings.HasPrefix(line[i:], reset) {
				at, col, style = i, cells, ""
				now = line[i:end]
			}
			cells = columnAfter(line[i:end], cells)
			i = end
			continue
		}
		end := i + runLen(line[i:])
		if end <= n {
			cells += text.Width(line[i:end])
			i = end
			continue
		}
		for k := n; k > i; k-- {
			if letter(line[k-1]) && letter(line[k]) {
				return k, cells + text.Width(line[i:k]), now
			}
		}
		break
	}
	return at, col, style
}

// letter reports whether c is printable ASCII, which is a cluster if another follows.
func letter(c byte) bool { return c >= ' ' && c < 0x7f }

// cellsOf returns the width of a painted line in cells.
func cellsOf(line string) (cells int) {
	for i := 0; i < len(line); {
		n := runLen(line[i:])
		if line[i] == 0x1b {
			n = escapeLen(line[i:])
			cells = columnAfter(line[i:i+n], cells)
		} else {
			cells += text.Width(line[i : i+n])
		}
		i += n
	}
	return cells
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

// columnAfter returns the column of the cursor after a control sequence.
func columnAfter(seq string, col int) int {
	if !strings.HasSuffix(seq, "G") {
		return col
	}
	n, err := strconv.Atoi(seq[len("\x1b[") : len(seq)-1])
	if err != nil {
		return col
	}
	return n - 1
}
