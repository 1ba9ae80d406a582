package outline

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// print writes a tree with two blanks per depth: kind, id, title, name, state, level, messages, calls.
func print(o *Outline) string {
	var b strings.Builder
	for i := range o.Nodes {
		n := &o.Nodes[i]
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", n.Depth), n.Kind)
		for _, s := range []string{n.ID, n.Title, n.Name, string(n.State), string(n.Level)} {
			if s == "" {
				s = "-"
			}
			fmt.Fprintf(&b, " %s", strings.ReplaceAll(s, " ", "_"))
		}
		fmt.Fprintf(&b, " [%d,%d) calls %d-%d\n", n.From, n.To, n.First, n.Last)
	}
	return b.String()
}

// check tests what holds for every tree: nodes are nested, and every call is under exactly one leaf.
func check(t *testing.T, o *Outline) {
	t.Helper()
	calls := map[int]int{}
	for i := range o.Nodes {
		n := &o.Nodes[i]
		if n.End <= i || n.End > len(o.Nodes) || i > 0 && n.Depth > o.Nodes[i-1].Depth+1 {
			t.Fatalf("node %d is not nested:\n%s", i, print(o))
		}
		for k := i + 1; k < n.End; k++ {
			if c := &o.Nodes[k]; c.Depth <= n.Depth || c.HasCalls() && (c.First < n.First || c.Last > n.Last) {
				t.Fatalf("node %d is not within %d:\n%s", k, i, print(o))
			}
		}
		if o.Leaf(i) {
			for c := n.First; c <= n.Last; c++ {
				calls[c]++
				if o.OfCall(c) != i {
					t.Fatalf("call %d is in node %d, OfCall says %d:\n%s", c, i, o.OfCall(c), print(o))
				}
			}
		}
	}
	for c := 1; c <= o.Nodes[0].Last; c++ {
		if calls[c] != 1 {
			t.Fatalf("call %d is under %d leaves:\n%s", c, calls[c], print(o))
		}
	}
	if len(calls) != o.Nodes[0].Last {
		t.Fatalf("%d calls in leaves, %d in the thread:\n%s", len(calls), o.Nodes[0].Last, print(o))
	}
}

func sample(t *testing.T, name, id string) (*model.Run, *model.Thread) {
	t.Helper()
	path := "../../../shared/samples/" + name
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the genuine samples are not here: %v", err)
	}
	src, err := trace.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	e, err := src.Pick(id)
	if err != nil {
		t.Fatal(err)
	}
	run, err := src.Load(context.Background(), e.ID, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return run, run.MainThread()
}

// The trees of the genuine samples.
func TestSamples(t *testing.T) {
	for _, c := range []struct{ file, id, want string }{
		{"flujo/debug-conv-v0437.json", "", `
loop conversation clarification_loop - done - [0,8) calls 1-8
  iteration 1 - - done - [1,3) calls 1-2
    step - clarify 1 done - [1,2) calls 1-1
    step - planner 2 done - [2,3) calls 2-2
  iteration 2 - - done - [3,5) calls 3-4
    step - clarify 3 done - [3,4) calls 3-3
    step - planner 4 done - [4,5) calls 4-4
  iteration 3 - - done - [5,7) calls 5-6
    step - clarify 5 done - [5,6) calls 5-5
    step - planner 6 done - [6,7) calls 6-6
  iteration 4 - - done - [7,8) calls 7-8
    step - clarify - done - [0,0) calls 7-7
    step - planner 7 done - [7,8) calls 8-8
`},
		{"wink/f_seed003_taskhistory.json", "", `
task task Refactor_auth_module - active - [0,10) calls 1-5
  plan step 1 Read_the_code 1 - summary [0,4) calls 1-2
  plan step 2 Fix_bug_A 2 - full [4,6) calls 3-3
  plan step 3 Marked_summary_but_no_text 3 - summary [6,7) calls 4-4
  plan step 4 Fix_bug_B 4 active full [7,10) calls 5-5
  plan step 5 Write_tests 5 pending full [10,10) calls 6-5
`},
		{"wink/d_seed002_innermessage.json", "", `
evaluation 0a000000-bbbb-4000-8000-000000000002 executor - - - [0,4) calls 1-1
  turn 0 - - - - [0,2) calls 1-0
  turn 1 - - - - [2,4) calls 1-1
`},
	} {
		t.Run(c.file, func(t *testing.T) {
			run, thread := sample(t, c.file, c.id)
			o := Of(run, thread)
			check(t, o)
			if got := "\n" + print(o); got != c.want {
				t.Errorf("got%swant%s", got, c.want)
			}
		})
	}
}

// thread builds a thread from units: a step name each, with its iteration; "-" is a call without a reply, "=" a message without a
// call.
func thread(kind model.ThreadKind, units ...model.Scope) *model.Thread {
	b := model.NewThread("t", kind)
	b.Add(model.Message{Role: model.User})
	for _, u := range units {
		c := model.Call{Given: b.Len(), Scope: &u}
		if u.Step != "silent" {
			m := model.Message{Role: model.Assistant, Extra: &model.MessageExtra{Step: u.Step}}
			if u.Iteration > 0 {
				m.Extend().Turn = model.Some(u.Iteration)
			}
			c.Reply = model.Some(b.Add(m))
		}
		b.Call(c)
	}
	return b.Build()
}

func TestLoops(t *testing.T) {
	in := func(loop string, i int, step string) model.Scope {
		return model.Scope{Loop: loop, Iteration: i, Step: step, State: model.StepDone}
	}
	within := func(s model.Scope, outer ...string) model.Scope {
		s.Outer = outer
		return s
	}
	failed := in("a", 2, "x")
	failed.State = model.StepFailed
	for name, c := range map[string]struct {
		t      *model.Thread
		status model.Status
		want   string
	}{
		"one step per iteration": {thread("loop", in("a", 1, "x"), in("a", 2, "x")), model.StatusPaused, `
loop t - - active - [0,3) calls 1-2
  iteration 1 - - done - [1,2) calls 1-1
    step - x 1 done - [1,2) calls 1-1
  iteration 2 - - active - [2,3) calls 2-2
    step - x 2 done - [2,3) calls 2-2
`},
		"two loops and a call outside": {thread("loop", in("a", 1, "x"), in("b", 1, "x"), in("", 0, ""), failed), model.StatusUnknown, `
loop t - - failed - [0,5) calls 1-4
  loop - a - done - [1,2) calls 1-1
    iteration 1 - - done - [1,2) calls 1-1
      step - x 1 done - [1,2) calls 1-1
  loop - b - done - [2,3) calls 2-2
    iteration 1 - - done - [2,3) calls 2-2
      step - x 1 done - [2,3) calls 2-2
  calls - - - done - [3,4) calls 3-3
  loop - a - failed - [4,5) calls 4-4
    iteration 2 - - failed - [4,5) calls 4-4
      step - x 2 failed - [4,5) calls 4-4
`},
		"a call without a reply": {thread("loop", in("a", 1, "x"), in("a", 1, "silent"), in("a", 1, "x")), model.StatusUnknown, `
loop t - - done - [0,3) calls 1-3
  iteration 1 - - done - [1,3) calls 1-3
    step - x 1 done - [1,2) calls 1-1
    step - silent - done - [0,0) calls 2-2
    step - x 1 done - [2,3) calls 3-3
`},
		"a loop in a loop": {thread("loop", in("a", 1, "x"), within(in("b", 1, "y"), "a"), within(in("b", 2, "y"), "a"), in("a", 2, "x")), model.StatusUnknown, `
loop t - - done - [0,5) calls 1-4
  loop - a - done - [1,5) calls 1-4
    iteration 1 - - done - [1,2) calls 1-1
      step - x 1 done - [1,2) calls 1-1
    loop - b - done - [2,4) calls 2-3
      iteration 1 - - done - [2,3) calls 2-2
        step - y 2 done - [2,3) calls 2-2
      iteration 2 - - done - [3,4) calls 3-3
        step - y 3 done - [3,4) calls 3-3
    iteration 2 - - done - [4,5) calls 4-4
      step - x 4 done - [4,5) calls 4-4
`},
		"no steps": {thread("main", in("", 0, "")), model.StatusUnknown, `
main t - - done - [0,2) calls 1-1
  calls - - - done - [1,2) calls 1-1
`},
	} {
		t.Run(name, func(t *testing.T) {
			o := Of(&model.Run{Status: c.status}, c.t)
			check(t, o)
			if got := "\n" + print(o); got != c.want {
				t.Errorf("got%swant%s", got, c.want)
			}
		})
	}
}

// Every call is under exactly one leaf, whatever the record holds.
func TestEveryCallIsUnderOneLeaf(t *testing.T) {
	for seed := range uint64(500) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		var units []model.Scope
		for range rnd.IntN(30) {
			units = append(units, model.Scope{Outer: []string{"o", "p"}[:rnd.IntN(3)], Loop: []string{"", "a", "b"}[rnd.IntN(3)], Iteration: rnd.IntN(3), Step: []string{"", "x", "y", "silent"}[rnd.IntN(4)]})
		}
		th := thread("loop", units...)
		if rnd.IntN(3) == 0 { // a plan, with ranges that may leave messages out
			for at := 0; at < th.Len(); {
				from := at + rnd.IntN(2)
				to := min(from+rnd.IntN(4), th.Len())
				th.Steps = append(th.Steps, model.Step{ID: fmt.Sprint(len(th.Steps)), From: min(from, to), To: to})
				at = to + rnd.IntN(2)
			}
		}
		if rnd.IntN(4) == 0 {
			for i := range th.Calls {
				th.Calls[i].Scope = nil
			}
		}
		o := Of(&model.Run{}, th)
		check(t, o)
		sums := Sum(o, func(sum *int, call int) { *sum += call }, func(sum *int, child int) { *sum += child })
		for i := range o.Nodes {
			want := 0
			for c := o.Nodes[i].First; c <= o.Nodes[i].Last; c++ {
				want += c
			}
			if sums[i] != want {
				t.Fatalf("seed %d: the calls of node %d sum to %d, not %d:\n%s", seed, i, sums[i], want, print(o))
			}
		}
	}
}

// BenchmarkOf measures the tree of 100,000 iterations with two steps each.
func BenchmarkOf(b *testing.B) {
	var units []model.Scope
	for i := range 100_000 {
		units = append(units, model.Scope{Loop: "a", Iteration: i + 1, Step: "x"}, model.Scope{Loop: "a", Iteration: i + 1, Step: "y"})
	}
	th := thread("loop", units...)
	for b.Loop() {
		Of(&model.Run{}, th)
	}
}
