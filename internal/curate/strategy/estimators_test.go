package strategy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/curatetest"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// countingStages lists the strategies that accept an estimator; %s is replaced with the
// estimator.
var countingStages = []string{
	"truncate_tokens(300, pin_first=true, tokens=%s)", "token_budget(400, tokens=%s)", "token_budget(900, start_on=user, tokens=%s)",
	"clear_tool_uses(400, keep=2, tokens=%s)", "clear_tool_uses(300, keep=1, sticky=false, clear_at_least=50, tokens=%s)",
	"prune_tool_outputs(100, minimum=60, tokens=%s)", "compact(700, keep=30%%, tokens=%s)", "compact(900, keep=200 tok, tokens=%s)",
}

// TestEstimators checks that a stage with an estimator behaves as if the whole chain used
// the estimator, and that the chain counts the stage's output like any other message.
func TestEstimators(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	ctx := context.Background()
	for _, by := range []string{"o200k", "cl100k", "chars/4", "chars/2.5"} {
		for _, stage := range countingStages {
			own := parse(t, fmt.Sprintf(stage, by))
			plain := parse(t, fmt.Sprintf(stage, engine.Counted))
			for seed := range uint64(5) {
				run, thread := curatetest.Conversation(seed, 90)
				sizes, err := engine.Measure(ctx, run, thread, tokens.Estimate{})
				if err != nil {
					t.Fatal(err)
				}
				in := engine.Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}
				theirs := in
				if theirs.Sizes, err = in.SizesBy(ctx, by); err != nil {
					t.Fatal(err)
				}
				got, want := mustReplay(t, in, own), mustReplay(t, theirs, plain)
				for call := 1; call <= got.Calls()+1; call++ {
					sameFates(t, fmt.Sprintf("%s, seed %d, call %d", own, seed, call), got.View(call), want.View(call))
					sumsUp(t, in, got, call)
				}
				if t.Failed() {
					return
				}
			}
		}
	}
}

func sameFates(t *testing.T, name string, got, want *model.View) {
	t.Helper()
	if len(got.Entries) != len(want.Entries) {
		t.Fatalf("%s: %d entries, want %d", name, len(got.Entries), len(want.Entries))
	}
	for i := range got.Entries {
		g, w := &got.Entries[i], &want.Entries[i]
		if g.Index != w.Index || g.Fate != w.Fate || g.Reason() != w.Reason() {
			t.Fatalf("%s: message %d is %s (%s), want message %d %s (%s)", name, g.Index, g.Fate, g.Reason(), w.Index, w.Fate, w.Reason())
		}
	}
}

// sumsUp checks that the size of a view is the sum of its messages, counted like the chain.
func sumsUp(t *testing.T, in engine.Input, r *engine.Replayed, call int) {
	t.Helper()
	v, sum := r.View(call), int64(0)
	for i := range v.Entries {
		e := &v.Entries[i]
		switch {
		case e.Fate == model.WasDropped:
		case e.Fate == model.Kept:
			sum += int64(in.Sizes.Tokens[e.Index])
		default:
			original := ""
			if e.Index >= 0 {
				original, _ = in.Run.Text(in.Thread.At(int(e.Index)))
			}
			size := int64((tokens.Estimate{}).Count(model.Join(original, e.Text())) + engine.Overhead)
			if e.Index >= 0 && e.Role == model.Assistant {
				size = int64(e.Tokens) // with its calls
			}
			sum += size
		}
	}
	if sum != v.Curated.Tokens {
		t.Errorf("%s, call %d: the view has %d tokens, its messages %d", r.Chain(), call, v.Curated.Tokens, sum)
	}
}

// TestRecordedEstimatorNeedsUsage checks that the estimator "recorded" fails if the record
// has no usage.
func TestRecordedEstimatorNeedsUsage(t *testing.T) {
	run, thread := curatetest.Conversation(1, 20)
	var fault *chain.BuildError
	if _, err := Replay(context.Background(), inputOf(t, run, thread), parse(t, "token_budget(400, tokens=recorded)")); !errors.As(err, &fault) || !strings.Contains(err.Error(), "no usage") {
		t.Errorf("without usage: %v", err)
	}
}
