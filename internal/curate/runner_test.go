package curate

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

type fakeRunner struct {
	inputs [][]sentMessage
	answer string
	err    error
}

func (r *fakeRunner) Run(_ context.Context, command string, input []byte) ([]byte, error) {
	var messages []sentMessage
	if err := json.Unmarshal(input, &messages); err != nil {
		return nil, err
	}
	r.inputs = append(r.inputs, messages)
	return []byte(strings.ReplaceAll(r.answer, "$0", command)), r.err
}

func TestSummaryByCommand(t *testing.T) {
	run, thread := conversation(4, 80)
	sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	chain, err := Parse(`compact(12 msgs, keep=4, summary=command("sum up"))`)
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}
	var build *BuildError
	if _, err := Replay(context.Background(), in, chain); !errors.As(err, &build) || !strings.Contains(err.Error(), "no program may be run") {
		t.Fatalf("without a runner: %v", err)
	}
	fake := &fakeRunner{answer: "what $0 said\n"}
	in.Runner = fake
	r, err := Replay(context.Background(), in, chain)
	if err != nil {
		t.Fatal(err)
	}
	if len(fake.inputs) < 2 {
		t.Fatalf("the command was run %d times, want at least twice", len(fake.inputs))
	}
	if first := fake.inputs[1][0]; first.Role != "user" || first.Content != "what sum up said" {
		t.Errorf("the second summary is not made from the first: it begins with %+v", first)
	}
	found := false
	for _, e := range r.View(r.Calls() + 1).Entries {
		if e.Fate == model.Added {
			found = flatten("", e.Text) == "what sum up said" && e.Reason == "external: summary by command sum up"
		}
	}
	if !found {
		t.Error("the last view does not hold the command's summary")
	}
	for _, tc := range []struct {
		runner Runner
		want   string
	}{
		{&fakeRunner{answer: " \n"}, "printed nothing"},
		{&fakeRunner{err: errors.New("exit status 3")}, "exit status 3"},
	} {
		in.Runner = tc.runner
		if _, err := Replay(context.Background(), in, chain); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("error %v, want one that says %q", err, tc.want)
		}
	}
}

func TestCompactNeedsWindow(t *testing.T) {
	run, thread := conversation(1, 30)
	in := Input{Run: run, Thread: thread, Sizes: Guess(thread)}
	for text, want := range map[string]string{
		"compact": "context window", "@claude-code": "context window", "compact(20 msgs, keep=20)": "not smaller than trigger",
	} {
		chain, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var build *BuildError
		if _, err := Replay(context.Background(), in, chain); !errors.As(err, &build) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want a build error that says %q", text, err, want)
		}
	}
}
