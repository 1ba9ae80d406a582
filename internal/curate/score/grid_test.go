package score

import (
	"math/rand/v2"
	"slices"
	"testing"

	"agentlens/internal/curate"
	"agentlens/internal/curate/evidence"
)

func TestGrid(t *testing.T) {
	for _, budget := range []int64{1, 100, 50_000, 1_000_000} {
		seen := map[string]bool{}
		for _, text := range Grid(budget) {
			chain, err := curate.Parse(text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			seen[chain.String()] = true
		}
		if budget > 1000 && len(seen) < 50 {
			t.Errorf("a budget of %d: only %d chains", budget, len(seen))
		}
	}
}

// TestFront checks the front against its definition.
func TestFront(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		scores := make([]Score, rnd.IntN(30))
		for i := range scores {
			scores[i].Sent = int64(rnd.IntN(12))
			scores[i].Loss.Cited = evidence.Share{Lost: float64(rnd.IntN(8)), Of: float64(8 * rnd.IntN(5))}
		}
		front := Front(scores)
		for i := range scores {
			mine, known := scores[i].Loss.Share()
			beaten, equal := !known, false
			for j := range scores {
				loss, known := scores[j].Loss.Share()
				if !known || j == i {
					continue
				}
				better := scores[j].Sent < scores[i].Sent && loss <= mine || scores[j].Sent == scores[i].Sent && loss < mine
				beaten = beaten || better
				equal = equal || scores[j].Sent == scores[i].Sent && loss == mine
			}
			if on := slices.Contains(front, i); on == beaten && !equal {
				t.Fatalf("score %d of %+v: on the front %v, beaten %v", i, scores, on, beaten)
			}
		}
		if !slices.IsSortedFunc(front, func(i, j int) int { return int(scores[i].Sent - scores[j].Sent) }) {
			t.Fatalf("front %v is not in the order of tokens", front)
		}
	}
}
