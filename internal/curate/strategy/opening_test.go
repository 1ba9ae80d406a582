package strategy

import (
	"context"
	"fmt"
	"testing"

	"agentlens/internal/curate/curatetest"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/opening"
	"agentlens/internal/curate/tokens"
)

// TestOpenings checks that remembered texts change no view.
func TestOpenings(t *testing.T) {
	run, thread := curatetest.Conversation(7, 60)
	sizes, err := engine.Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Language().Parse("compact(6 msgs, keep=2)", nil)
	if err != nil {
		t.Fatal(err)
	}
	views := func(b *opening.Memo) (all []string) {
		r, err := Replay(context.Background(), engine.Input{Run: run, Thread: thread, Sizes: sizes, Texts: true, Openings: b}, c)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= r.Calls(); n++ {
			v := r.View(n)
			for _, e := range v.Entries {
				all = append(all, fmt.Sprint(n, e.Index, e.Tokens, e.Text()))
			}
		}
		return all
	}
	want, shared := views(nil), new(opening.Memo)
	for range 2 {
		if got := views(shared); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("got %.300v, want %.300v", got, want)
		}
	}
}
