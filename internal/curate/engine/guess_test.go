package engine

import (
	"context"
	"errors"
	"math"
	"testing"

	"agentlens/internal/curate/curatetest"
	"agentlens/internal/curate/tokens"
)

// TestSample checks that a sample is close to the full count.
func TestSample(t *testing.T) {
	ctx := context.Background()
	o200k, err := tokens.Named("o200k")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 10, 4000} {
		run, thread := curatetest.Conversation(3, n)
		whole, err := Measure(ctx, run, thread, o200k)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Sample(ctx, run, thread, o200k)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(float64(s.Total())/float64(max(1, whole.Total())) - 1); n > 0 && off > 0.03 {
			t.Errorf("%d messages: the sample has %d tokens, the count %d", n, s.Total(), whole.Total())
		}
		if s.Exact || len(s.Tokens) != thread.Len() {
			t.Errorf("exact %v, %d sizes of %d messages", s.Exact, len(s.Tokens), thread.Len())
		}
	}
}

func TestMeasureSteps(t *testing.T) {
	run, thread := curatetest.Conversation(4, 6000)
	var steps []int64
	var last int64
	s, err := MeasureSteps(context.Background(), run, thread, tokens.Estimate{}, func(done, all int64) {
		steps = append(steps, done)
		last = all
	})
	if err != nil || len(steps) < 2 || steps[len(steps)-1] != last || s.Total() == 0 {
		t.Errorf("steps %v of %d, %v", steps, last, err)
	}
	for i := 1; i < len(steps); i++ {
		if steps[i] < steps[i-1] {
			t.Errorf("progress goes back: %v", steps)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	if _, err := MeasureSteps(ctx, run, thread, tokens.Estimate{}, func(_, _ int64) { stop() }); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
