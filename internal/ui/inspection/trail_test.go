package inspection

import (
	"math/rand/v2"
	"testing"
)

// After any number of jumps, going back the same number of times returns to the start.
func TestTrailGoesBackToTheBeginning(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		var tr Trail
		here := Spot{0, 0, 0}
		for range 1 + r.IntN(40) {
			switch r.IntN(3) {
			case 0:
				tr.Leave(here)
				here = Spot{0, r.IntN(3), r.IntN(50)}
			case 1:
				if s, ok := tr.Step(-1, here); ok {
					here = s
				}
			case 2:
				if s, ok := tr.Step(1, here); ok {
					here = s
				}
			}
		}
		steps := 0
		for ; steps <= 100; steps++ {
			s, ok := tr.Step(-1, here)
			if !ok {
				break
			}
			if s == here {
				t.Fatal("a step that goes nowhere")
			}
			here = s
		}
		if steps > 100 {
			t.Fatal("going back never ends")
		}
		if len(tr.spots) > 0 && here != tr.spots[0] {
			t.Fatalf("back at %v, the first spot was %v", here, tr.spots[0])
		}
	}
}
