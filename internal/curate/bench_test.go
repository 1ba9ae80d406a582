package curate

import (
	"context"
	"fmt"
	"testing"

	"agentlens/internal/model"
)

// longThread is a fixed conversation of n messages, a call every second one:
// user, then assistant with one or two calls, and their results.
func longThread(n int) (*model.Thread, *Sizes) {
	b := model.NewThread("long", "main")
	sizes := &Sizes{Method: "fixed"}
	add := func(m model.Message, tokens int32) {
		b.Add(m)
		sizes.Tokens = append(sizes.Tokens, tokens)
		sizes.Runes = append(sizes.Runes, 3*tokens)
	}
	add(model.Message{Role: model.System}, 900)
	x := uint32(1)
	next := func(k uint32) uint32 {
		x = x*1664525 + 1013904223
		return x >> 8 % k
	}
	t := b.Thread()
	id := 0
	for b.Len() < n {
		if next(6) == 0 {
			add(model.Message{Role: model.User}, int32(20+next(80)))
		}
		m := model.Message{Role: model.Assistant}
		var ids []string
		for range 1 + int(next(8)/7) {
			id++
			ids = append(ids, fmt.Sprint("c", id))
			m.Calls = append(m.Calls, model.ToolCall{ID: ids[len(ids)-1], Name: []string{"read", "bash"}[id%2]})
		}
		t.Calls = append(t.Calls, model.Call{Number: len(t.Calls) + 1, Given: b.Len(), Reply: int32(b.Len())})
		add(m, int32(30+next(60)))
		for _, c := range ids {
			add(model.Message{Role: model.Tool, CallID: c}, int32(next(1500)))
		}
	}
	return b.Build(), sizes
}

var benchChains = []string{
	"sliding_window(50)", "truncate_tool_results(1000)", "keep_active_tools([read])", "last_turns(10)",
	"truncate_tokens(20k)", "truncate_turns(20)", "token_budget(100k)", "token_budget(100k, fit=best)", "token_budget(100k, partial=true)", "clear_tool_uses(100k)", "compact_turns",
	"compact(160k)", "repair", "render_template", "summarize", "summarize(trigger=100k)", "mask_observations", "collapse_tool_groups", "filter([user, assistant])", "keep_text", "head_tail(20, tail=50)", "prune_tool_outputs", "drop_tool_calls(20)", "mask_observations(10, every=8)", "clear_thinking", "compact(160k, keep=30%)",
	"truncate_tool_results(1000) | sliding_window(50)", "clear_tool_uses(50k) | token_budget(60k)",
	"preserve(6) | token_budget(20k)", "compact_turns | truncate_tokens(8k)",
}

// BenchmarkReplay runs chains over every call of 100,000 and 200,000 messages,
// tokens counted beforehand.
func BenchmarkReplay(b *testing.B) {
	for _, n := range []int{100_000, 200_000} {
		thread, sizes := longThread(n)
		for _, text := range benchChains {
			chain, err := Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("%s/%dk", text, n/1000), func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					if _, err := Replay(context.Background(), Input{Thread: thread, Sizes: sizes}, chain); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(thread.Calls)), "calls")
			})
		}
	}
}

// BenchmarkNaive is the control: the strategy run over the whole prefix at each
// call, at a tenth of the size.
func BenchmarkNaive(b *testing.B) {
	thread, sizes := longThread(10_000)
	for _, text := range []string{"sliding_window(50)", "token_budget(100k)"} {
		chain, err := Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(text+"/naive/10k", func(b *testing.B) {
			for range b.N {
				(&judge{thread: thread, sizes: sizes}).run(chain)
			}
		})
		b.Run(text+"/engine/10k", func(b *testing.B) {
			for range b.N {
				if _, err := Replay(context.Background(), Input{Thread: thread, Sizes: sizes}, chain); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkView reads one view off a replay.
func BenchmarkView(b *testing.B) {
	thread, sizes := longThread(100_000)
	chain, _ := Parse("sliding_window(50)")
	r, err := Replay(context.Background(), Input{Thread: thread, Sizes: sizes}, chain)
	if err != nil {
		b.Fatal(err)
	}
	for range b.N {
		r.View(r.Calls() / 2)
	}
}
