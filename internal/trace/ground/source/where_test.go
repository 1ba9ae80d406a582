package source

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlaceNames keeps places that begin alike, of any length, in several blocks.
func TestPlaceNames(t *testing.T) {
	var p placeNames
	var want []string
	var ids []uint32
	for i := range 500 {
		for _, what := range []string{"", "messages[0]", "messages[0]", strings.Repeat("é", i), "response, choices[0].message"} {
			place := fmt.Sprintf("traffic.har entry %d, %s", i, what)
			if i%7 == 0 {
				place = what
			}
			want, ids = append(want, place), append(ids, p.add(place))
		}
	}
	for i, id := range ids {
		if got := p.of(id); got != want[i] {
			t.Fatalf("place %d is %q, want %q", i, got, want[i])
		}
	}
	if len(p.blocks) < 2 || ids[1] != ids[2] {
		t.Errorf("%d blocks, ids %v", len(p.blocks), ids[:3])
	}
}
