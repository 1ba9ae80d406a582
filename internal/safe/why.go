package safe

import (
	"fmt"
	"maps"
	"slices"

	"agentlens/internal/redact"
)

// A Why is the reason why something is masked.
type Why struct {
	Rule    string
	Places  int
	Because string // in words
}

// WhyMasked returns the rules that masked something in texts of a gate, sorted.
func WhyMasked(texts ...fmt.Stringer) (list []Why) {
	places := map[string]int{}
	for _, text := range texts {
		for _, rule := range redact.Masked(text.String()) {
			places[rule]++
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(places)) {
		list = append(list, Why{rule, places[rule], redact.Because(rule)})
	}
	return list
}
