package chain

import (
	"sort"
	"strings"
)

// nearest returns at most three similar names, the most similar first.
func nearest(name string, names []string) []string {
	type scored struct {
		name string
		d    int
	}
	var near []scored
	for _, n := range names {
		d := distance(strings.ToLower(name), n)
		if strings.HasPrefix(n, name) || len(name) > 2 && strings.Contains(n, name) {
			d = min(d, 1)
		}
		if d <= max(2, len(n)/3) {
			near = append(near, scored{n, d})
		}
	}
	sort.SliceStable(near, func(i, j int) bool { return near[i].d < near[j].d })
	var out []string
	for _, s := range near[:min(3, len(near))] {
		out = append(out, s.name)
	}
	return out
}

// distance returns the Levenshtein distance of two short words.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j]+1, row[j+1]+1, diag+cost)
			diag, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
