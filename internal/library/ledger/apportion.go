package ledger

import (
	"cmp"
	"math"
	"slices"
)

// Apportion divides a whole number in proportion to weights, by the method of the largest
// remainder. The parts sum up to the whole, unless all weights are zero.
func Apportion(whole int64, weights []float64) []int64 {
	parts, all := make([]int64, len(weights)), 0.0
	for _, w := range weights {
		all += w
	}
	if !(all > 0) || whole <= 0 {
		return parts
	}
	left := whole
	rests, order := make([]float64, len(weights)), make([]int, len(weights))
	for i, w := range weights {
		exact := w / all * float64(whole)
		parts[i] = floor(exact, left)
		rests[i], order[i] = exact-float64(parts[i]), i
		left -= parts[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rests[b], rests[a]) })
	if n := int64(len(parts)); left > n { // rounding errors of numbers beyond 53 bits
		parts[order[0]] += left - n
		left = n
	}
	for _, i := range order[:left] {
		parts[i]++
	}
	return parts
}

// floor returns the whole part of a share, from 0 to most. It compares before it converts,
// because the float next to the largest integer is greater than it.
func floor(exact float64, most int64) int64 {
	switch {
	case !(exact > 0):
		return 0
	case exact >= float64(most):
		return most
	}
	return int64(math.Floor(exact))
}
