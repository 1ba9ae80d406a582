package score

import (
	"context"
	"slices"
	"strings"
	"testing"

	"agentlens/internal/curate"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/models"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

func TestParseAssertion(t *testing.T) {
	for _, tc := range []struct {
		text  string
		value float64
		holds bool
	}{
		{"tokens<=50k", 50_000, true},
		{"tokens <= 50k", 50_001, false},
		{"tokens<1.5M", 1_500_000, false},
		{"problems==0", 0, true},
		{"problems==0", 1, false},
		{"problems.gemini!=2", 2, false},
		{"dropped>3", 4, true},
		{"dropped>3", 3, false},
		{"loss<=5%", 0.05, true},
		{"loss<=0.05", 0.051, false},
		{"sum.saved>=30%", 0.3, true},
		{"sum.cost<0.5", 0.49, true},
		{"context<=100k", 100_000, true},
		{"context<=50%", 0.5, true},
		{"context < 50 %", 0.5, false},
	} {
		a, err := ParseAssertion(tc.text)
		if err != nil {
			t.Fatalf("%s: %v", tc.text, err)
		}
		if a.Holds(tc.value) != tc.holds {
			t.Errorf("%s of %v holds: %v", tc.text, tc.value, !tc.holds)
		}
	}
	for text, want := range map[string]string{
		"tokens":        "no operator",
		"":              "no operator",
		"token<=5":      `no figure "token"`,
		"tokens=5":      `no operator "="`,
		"tokens<=":      "is no number",
		"tokens<=many":  "is no number",
		"tokens<=5%":    "is asked of context: context<=5%",
		"messages<=5%":  "is no number",
		"loss<=5k":      "is no number",
		"tokens<=nan":   "is no number",
		"<=5":           `no figure ""`,
		"tokens=<5":     `no operator "="`,
		"tokens!5":      `no operator "!"`,
		"tokens<=>5":    "is no number",
		"tokens<=5\x00": "is no number",
	} {
		if _, err := ParseAssertion(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseAssertion(f *testing.F) {
	for _, seed := range []string{"tokens<=50k", "loss < 5%", "problems.openai==0", "!", "sum.cost>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAssertion(text)
		if err != nil {
			return
		}
		if a.Figure.Name == "" || a.Holds(a.bound) != strings.Contains(a.op, "=") && a.op != "!=" {
			t.Errorf("%q: %+v", text, a)
		}
	})
}

func TestFailures(t *testing.T) {
	s, calls, _ := scored(t, 4, "passthrough", models.Prices{})
	var all []Assertion
	for _, text := range []string{"tokens<=2000", "problems==0", "loss==0", "sum.cost<1", "sum.saved==0", "prefix>=1%"} {
		a, err := ParseAssertion(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	failed := Failures(all, &s, calls)
	got := map[string][]int{}
	for _, f := range failed {
		got[f.Text] = append(got[f.Text], f.Call)
		if f.Text == "sum.cost<1" && !f.Unknown {
			t.Error("a cost without prices is known")
		}
	}
	for i := range calls {
		if over := calls[i].Tokens > 2000; over != contains(got["tokens<=2000"], calls[i].Number) {
			t.Errorf("call %d of %d tokens: %v", calls[i].Number, calls[i].Tokens, got)
		}
	}
	if len(got["problems==0"]) != 0 || len(got["sum.saved==0"]) != 0 || len(got["loss==0"]) != 0 || len(got["sum.cost<1"]) != 1 {
		t.Errorf("%v", got)
	}
	if len(got["prefix>=1%"]) != 0 {
		t.Errorf("the first call is held to the one before it: %v", got)
	}
	for _, f := range Figures() {
		if (f.Of == nil) == (f.Sum == nil) || f.Help == "" {
			t.Errorf("figure %s", f.Name)
		}
	}
}

// TestContextFailures checks that the context of a recorded call is the provider's count,
// and that of another view its messages plus the known overhead. A share refers to the
// window at the call.
func TestContextFailures(t *testing.T) {
	run, thread := talk(t, 6)
	for i := range thread.Calls {
		thread.Calls[i].Usage.Set(model.UsageInput, int64(10_000*(i+1)))
	}
	thread.Calls[3].Usage = model.Usage{}
	ctx := context.Background()
	sizes, err := engine.Measure(ctx, run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	sizes.Beside = 7000
	in := curate.Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}
	recorded, err := curate.Recorded(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	simulated, err := curate.Replay(ctx, in, curate.Chain{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		text      string
		of        *curate.Replayed
		calls     []int
		estimated bool
	}{
		{"context<=50%", recorded, []int{5, 6}, false}, // call 4 has neither a view nor usage
		{"context<=30k", recorded, []int{5, 6}, false},
		{"context<=30%", recorded, []int{3, 5, 6}, false},
		{"context>1M", recorded, []int{1, 2, 3, 5, 6}, false},
		{"tokens<=1", recorded, nil, false}, // no view is recorded
		{"context<=8500", simulated, []int{2, 3, 4, 5, 6}, true},
		{"context<=9%", simulated, []int{3, 4, 5, 6}, true},
	} {
		s, calls, err := Of(ctx, in, tc.of, Options{Windows: func(call int) int64 { return 98_000 - 4000*int64(call/6) }})
		if err != nil {
			t.Fatal(err)
		}
		a, err := ParseAssertion(tc.text)
		if err != nil {
			t.Fatal(err)
		}
		var at []int
		for _, f := range Failures([]Assertion{a}, &s, calls) {
			at = append(at, f.Call)
			if f.Unknown || f.Estimated != tc.estimated {
				t.Errorf("%s at call %d: %+v", tc.text, f.Call, f)
			}
		}
		if !slices.Equal(at, tc.calls) {
			t.Errorf("%s fails at %v, want %v", tc.text, at, tc.calls)
		}
	}
	s, calls, err := Of(ctx, in, recorded, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := ParseAssertion("context<=99%")
	if failed := Failures([]Assertion{a}, &s, calls); len(failed) != 5 || !failed[0].Unknown {
		t.Errorf("a share of an unknown window holds: %+v", failed)
	}
}

func contains(list []int, n int) bool {
	for _, m := range list {
		if m == n {
			return true
		}
	}
	return false
}
