package audit

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/model"
)

// trialsOf returns a thread with a file that is sent with every call, and its trials, which are kept in store.
func trialsOf(t *testing.T, store numberStore, change func(opt *Options, run *model.Run)) *trials {
	t.Helper()
	lines := []line{{role: model.User, text: "Please read the ledger."}}
	for i := range int64(6) {
		lines = append(lines,
			line{role: model.Assistant, tool: "Read", args: `{"file_path":"a.sql"}`, input: 3000 + 1000*i, output: 10, at: int(i)},
			line{role: model.Tool, text: strings.Repeat("cents of invoices ", 300)})
	}
	run := made(append(lines, line{role: model.Assistant, text: "Done.", input: 9000, output: 10})...)
	opt := optionsFor(prices)
	opt.Program = "lens of today"
	run.Kept = store
	if change != nil {
		change(&opt, run)
	}
	th, err := open(t.Context(), run, run.MainThread(), &opt)
	if err != nil {
		t.Fatal(err)
	}
	return th.openTrials()
}

// results tries chains, and returns the results of them and of what was sent. The results are kept.
func results(t *testing.T, l *trials, chains ...string) (list []result) {
	t.Helper()
	base, err := l.baseline(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, *base)
	for _, text := range chains {
		chain, err := curate.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		r, replay, err := l.try(t.Context(), chain)
		if err == nil && r.priced {
			err = l.judge(t.Context(), chain, r, replay)
		}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, *r)
	}
	l.save()
	return list
}

// TestTrialsKept checks that kept results are those that were found, and that only new chains are tried.
func TestTrialsKept(t *testing.T) {
	chains := []string{"sliding_window(2)", "truncate_tool_results(50)", "sliding_window(1000)", `exec("true")`}
	store := numberStore{}
	want := results(t, trialsOf(t, store, nil), chains...)
	if !want[0].priced || want[1].cost.Amount >= want[0].cost.Amount || want[3].first != 0 || want[4].priced {
		t.Errorf("results %+v", want)
	}
	l := trialsOf(t, store, nil)
	if got := results(t, l, chains...); !slices.Equal(got, want) || l.found {
		t.Errorf("kept: %+v, want %+v", got, want)
	}
	if results(t, l, "sliding_window(3)"); !l.found {
		t.Error("a new chain was not tried")
	}
	l = trialsOf(t, store, nil)
	if got := results(t, l, append(chains, "sliding_window(3)")...); !slices.Equal(got[:len(want)], want) || l.found {
		t.Errorf("kept after a new chain: %+v, want %+v", got, want)
	}
}

// TestTrialsFollow checks that results are not used once anything that they follow from has changed.
func TestTrialsFollow(t *testing.T) {
	for name, change := range map[string]func(opt *Options, run *model.Run){
		"program": func(opt *Options, _ *model.Run) { opt.Program = "lens of tomorrow" },
		"usage":   func(_ *Options, run *model.Run) { run.Threads[0].Calls[2].Usage.Input++ },
		"time":    func(_ *Options, run *model.Run) { run.Threads[0].Calls[2].At++ },
		"model":   func(_ *Options, run *model.Run) { run.Threads[0].Calls[2].Kind = &model.CallKind{Model: "other"} },
		"prices": func(opt *Options, _ *model.Run) {
			opt.Prices = func(string) models.Prices { return models.Prices{Input: models.Rate{5}, Output: models.Rate{20}} }
		},
		"window": func(opt *Options, _ *model.Run) {
			input := opt.Input
			opt.Input = func(ctx context.Context, run *model.Run, t *model.Thread) (curate.Input, error) {
				in, err := input(ctx, run, t)
				in.Window = 1000
				return in, err
			}
		},
		"sizes": func(opt *Options, _ *model.Run) {
			input := opt.Input
			opt.Input = func(ctx context.Context, run *model.Run, t *model.Thread) (curate.Input, error) {
				in, err := input(ctx, run, t)
				in.Sizes.Tokens[2]++
				return in, err
			}
		},
		"form": func(_ *Options, run *model.Run) { run.Project = "/elsewhere" },
	} {
		store := numberStore{}
		results(t, trialsOf(t, store, nil))
		if l := trialsOf(t, store, change); l.base != nil {
			t.Errorf("%s: another one has the same results", name)
		}
	}
}

// TestTrialsDamaged checks that damaged results are not used, whatever they hold.
func TestTrialsDamaged(t *testing.T) {
	store := numberStore{}
	results(t, trialsOf(t, store, nil), "sliding_window(2)", "truncate_tool_results(50)")
	l := trialsOf(t, store, nil)
	list := store[trialsName]
	for at := range list {
		for _, damage := range []func(list []int32) []int32{
			func(list []int32) []int32 { return list[:at] },
			func(list []int32) []int32 { list[at] = -7; return list },
			func(list []int32) []int32 { list[at] = 1 << 30; return list },
			func(list []int32) []int32 { return append(list, list[:at]...) },
		} {
			l.base, l.of = nil, map[chainID]*result{}
			l.unpack(damage(slices.Clone(list)))
			if l.base == nil {
				continue
			}
			for _, r := range append(slices.Collect(maps.Values(l.of)), l.base) {
				if n := len(l.th.t.Calls); r.first < 0 || r.first > n || r.calls < 0 || r.calls > n || r.cost.Amount < 0 {
					t.Fatalf("number %d: %+v", at, r)
				}
			}
		}
	}
}
