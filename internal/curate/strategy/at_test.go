package strategy

import (
	"context"
	"fmt"
	"testing"

	"agentlens/internal/curate/curatetest"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

func atTrial() trial {
	return trial{
		plain:  func(_ *judge, _ *plainStage, view []msg) []msg { return view }, // the calls have no scope
		chains: []string{"at(loop=main) | sliding_window(4)", "at | keep_text"},
		large:  []string{"at(loop=main) | sliding_window(20)"},
	}
}

// TestAt compares a chain with scopes to the chains that apply at each call. The calls are by
// turns of step clarify and planner; the last four are of loop second.
func TestAt(t *testing.T) {
	run, thread := curatetest.Conversation(7, 60)
	for i := range thread.Calls {
		scope := model.Scope{Loop: "first", Step: [...]string{"clarify", "planner"}[i%2], Iteration: i/2 + 1}
		if i >= len(thread.Calls)-4 {
			scope.Loop = "second"
		}
		thread.Calls[i].Scope = &scope
	}
	sizes, err := engine.Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	in := engine.Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}
	for _, c := range []struct {
		chain string
		want  func(s *model.Scope) string // nil for the call after the record
	}{
		{"at(steps=[planner]) | no_history", func(s *model.Scope) string {
			if s != nil && s.Step == "planner" {
				return "no_history"
			}
			return "passthrough"
		}},
		{"at(loop=first) | truncate_turns(3) | at(loop=second) | summarize(0.5, max_tokens=1k) | at([clarify]) | keep_text", func(s *model.Scope) string {
			switch {
			case s == nil:
				return "summarize(0.5, max_tokens=1k)"
			case s.Loop == "first" && s.Step == "clarify":
				return "truncate_turns(3) | keep_text"
			case s.Loop == "first":
				return "truncate_turns(3)"
			case s.Step == "clarify":
				return "summarize(0.5, max_tokens=1k) | keep_text"
			}
			return "summarize(0.5, max_tokens=1k)"
		}},
	} {
		got := replayed(t, in, c.chain)
		for n := 1; n <= len(thread.Calls)+1; n++ {
			var scope *model.Scope
			if n <= len(thread.Calls) {
				scope = thread.Calls[n-1].Scope
			}
			want := replayed(t, in, c.want(scope))
			if a, b := sentIn(t, run, thread, got.View(n)), sentIn(t, run, thread, want.View(n)); a != b {
				t.Fatalf("%s at call %d:\n%s\nwant, as %s:\n%s", c.chain, n, a, c.want(scope), b)
			}
			if a, b := got.View(n).Curated, want.View(n).Curated; a != b {
				t.Errorf("%s at call %d: %+v, want %+v", c.chain, n, a, b)
			}
		}
	}
}

func replayed(t *testing.T, in engine.Input, text string) *engine.Replayed {
	t.Helper()
	c, err := Language().Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Replay(context.Background(), in, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// sentIn lists what a view sends, with its texts.
func sentIn(t *testing.T, run *model.Run, thread *model.Thread, v *model.View) (list string) {
	t.Helper()
	for i := range v.Entries {
		if e := &v.Entries[i]; e.Sent() {
			text, err := run.EntryText(thread, e)
			if err != nil {
				t.Fatal(err)
			}
			list += fmt.Sprintf("%d %s %v %q\n", e.Index, e.Role, e.Calls(), text)
		}
	}
	return list
}
