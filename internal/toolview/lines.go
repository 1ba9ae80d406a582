package toolview

import "strings"

// Bounds of a comparison of lines.
const (
	maxEdits = 400     // a larger distance is shown as one replacement
	maxLines = 100_000 // lines of both sides
)

// A change is a line of a diff.
type change struct {
	sign byte // ' ', '-' or '+'
	line string
}

// splitLines splits a text into lines. A newline at the end does not begin a line.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// compare returns the lines of two texts as a diff: the shortest one by Myers's algorithm, or one replacement
// if the texts differ in too many lines.
func compare(before, after string) []change {
	a, b := splitLines(before), splitLines(after)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	m := 0
	for m < len(a)-n && m < len(b)-n && a[len(a)-1-m] == b[len(b)-1-m] {
		m++
	}
	list := make([]change, 0, len(a)+len(b))
	for _, l := range a[:n] {
		list = append(list, change{' ', l})
	}
	list = append(list, middle(a[n:len(a)-m], b[n:len(b)-m])...)
	for _, l := range a[len(a)-m:] {
		list = append(list, change{' ', l})
	}
	return list
}

// middle compares lists that differ in their first and last lines.
func middle(a, b []string) []change {
	if trace := shortest(a, b); trace != nil {
		return walk(a, b, trace)
	}
	list := make([]change, 0, len(a)+len(b))
	for _, l := range a {
		list = append(list, change{'-', l})
	}
	for _, l := range b {
		list = append(list, change{'+', l})
	}
	return list
}

// shortest returns the furthest points of each distance, or nil beyond the bounds. The points of
// distance d are those of the diagonals -d to d.
func shortest(a, b []string) [][]int32 {
	if len(a) == 0 || len(b) == 0 || len(a)+len(b) > maxLines {
		return nil
	}
	var trace [][]int32
	for d := 0; d <= min(maxEdits, len(a)+len(b)); d++ {
		points := make([]int32, 2*d+1)
		for k := -d; k <= d; k += 2 {
			x := 0
			if d > 0 {
				x = from(trace[d-1], d, k)
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			points[k+d] = int32(x)
			if x >= len(a) && x-k >= len(b) {
				return append(trace, points)
			}
		}
		trace = append(trace, points)
	}
	return nil
}

// from returns where diagonal k begins at distance d, given the points of distance d-1.
func from(points []int32, d, k int) int {
	at := func(k int) int { return int(points[k+d-1]) }
	if k == -d || k != d && at(k-1) < at(k+1) {
		return at(k + 1)
	}
	return at(k-1) + 1
}

// walk follows the points back and returns the diff.
func walk(a, b []string, trace [][]int32) []change {
	var list []change
	x, y := len(a), len(b)
	for d := len(trace) - 1; d > 0; d-- {
		k := x - y
		begin := from(trace[d-1], d, k)
		for x > begin && y > begin-k {
			x--
			y--
			list = append(list, change{' ', a[x]})
		}
		if k == -d || k != d && int(trace[d-1][k-1+d-1]) < int(trace[d-1][k+1+d-1]) {
			y--
			list = append(list, change{'+', b[y]})
		} else {
			x--
			list = append(list, change{'-', a[x]})
		}
	}
	for x > 0 && y > 0 {
		x--
		y--
		list = append(list, change{' ', a[x]})
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// tally counts the lines that a diff adds and removes.
func tally(list []change) (added, removed int) {
	for _, c := range list {
		switch c.sign {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}
