package picker

import (
	"slices"
	"strings"

	"agentlens/internal/library/catalog"
)

// settle filters and sorts the rows if something has changed. It runs at most once per
// frame, however fast runs arrive.
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
	p.moveBy(0)
}

// refilter makes settle filter all rows again.
func (p *Picker) refilter() { p.fits, p.dirty = p.fits[:0], true }

// pickOrders are the sort orders that tab cycles through. "" is the order of the files,
// newest first.
var pickOrders = [...]string{"", "tokens", "cost", "messages", "errors", "title"}

// fitness is how well a row matches the filter.
type fitness uint8

const (
	misses    fitness = iota
	scattered         // a term matches only as scattered letters
	whole             // every term matches as a whole
)

// fitnessOf returns how well a text matches all terms.
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
