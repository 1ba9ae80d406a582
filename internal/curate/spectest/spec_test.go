package spectest

import (
	"context"
	"strings"
	"testing"

	"agentlens/internal/curate"
	"agentlens/internal/curate/conform"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// open reads a record.
func open(t *testing.T, data string) *model.Run {
	t.Helper()
	f, err := source.FromReader("a.json", strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	src, err := trace.OpenFile(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	run, err := src.Load(context.Background(), src.Entries[0].ID, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// replay replays a chain over the main thread of a run.
func replay(t *testing.T, run *model.Run, chain string) *curate.Replayed {
	t.Helper()
	parsed, err := curate.Parse(chain)
	if err != nil {
		t.Fatal(err)
	}
	thread := run.MainThread()
	sizes, err := engine.Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := curate.Replay(context.Background(), curate.Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}, parsed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A sent is a message of a view.
type sent struct {
	index int // in the history, or -1 for an added message
	role  model.Role
	text  string
}

// next returns what a chain would send with the next call.
func next(t *testing.T, run *model.Run, chain string) []sent {
	t.Helper()
	r := replay(t, run, chain)
	v := r.View(r.Calls() + 1)
	var list []sent
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Fate == model.WasDropped {
			continue
		}
		text, err := run.EntryText(run.MainThread(), e)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, sent{int(e.Index), e.Role, text})
	}
	return list
}

// indices returns the indices of messages.
func indices(list []sent) []int {
	got := make([]int, len(list))
	for i, m := range list {
		got[i] = m.index
	}
	return got
}

// failed returns the rules of a specification that a record fails.
func failed(t *testing.T, run *model.Run, spec conform.Spec) []string {
	t.Helper()
	report, err := conform.Check(context.Background(), run)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Parts) == 0 || report.Parts[0].Spec != spec {
		t.Fatalf("checked as %+v, want %s", report.Parts, spec)
	}
	var rules []string
	for _, r := range report.Results {
		if r.Outcome == conform.Failed {
			rules = append(rules, r.ID)
		}
	}
	return rules
}
