package picker

import (
	"slices"
	"strings"

	"agentlens/internal/library/catalog"
)

// This file is which runs of the picker are shown, and in what order.

// settle chooses and orders what is shown, when anything changed since. It is
// called once a frame at most, however fast runs are found.
func (p *Picker) settle() {
	if !p.dirty {
		return
	}
	p.dirty = false
	on := -1
	if p.cursor > 0 && p.cursor < len(p.shown) {
		on = p.shown[p.cursor]
	}
	terms := strings.Fields(strings.ToLower(p.filter.String()))
	for i := len(p.fits); i < len(p.hay); i++ {
		p.fits = append(p.fits, fitnessOf(p.hay[i], terms))
	}
	p.shown = p.shown[:0]
	for _, want := range []fitness{whole, scattered} {
		from := len(p.shown)
		for i, f := range p.fits {
			if f == want {
				p.shown = append(p.shown, i)
			}
		}
		if less := catalog.Order(pickOrders[p.order]); less != nil {
			slices.SortStableFunc(p.shown[from:], func(a, b int) int { return less(&p.rows[a], &p.rows[b]) })
		}
	}
	p.cursor = max(slices.Index(p.shown, on), 0)
	p.MoveBy(0)
}

// refilter goes through all rows anew.
func (p *Picker) refilter() { p.fits, p.dirty = p.fits[:0], true }

// pickOrders are what tab goes through; "" is the order of the files, newest first.
var pickOrders = [...]string{"", "tokens", "cost", "messages", "errors", "title"}

type fitness uint8

const (
	misses fitness = iota
	scattered
	whole
)

// fitnessOf says how a text holds all terms: each as it is, or some only as letters in
// their order.
func fitnessOf(hay string, terms []string) fitness {
	best := whole
	for _, term := range terms {
		if strings.Contains(hay, term) {
			continue
		}
		if !subsequence(hay, term) {
			return misses
		}
		best = scattered
	}
	return best
}

func subsequence(hay, term string) bool {
	for _, want := range term {
		i := strings.IndexRune(hay, want)
		if i < 0 {
			return false
		}
		hay = hay[i+len(string(want)):]
	}
	return true
}
