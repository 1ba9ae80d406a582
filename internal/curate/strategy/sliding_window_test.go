package strategy

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"agentlens/internal/curate/curatetest"
	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

func slidingWindowTrial() trial {
	return trial{
		plain: plainSlidingWindow,
		chains: []string{
			"sliding_window(0)", "sliding_window(1)", "sliding_window(5)", "sliding_window(7)", "sliding_window(7, align=back)", "sliding_window(9, align=user)", "sliding_window(4) | repair",
		},
		large: []string{"sliding_window(50)", "sliding_window(50, align=back)", "sliding_window(50, align=user)"},
	}
}

func plainSlidingWindow(j *judge, s *plainStage, view []msg) []msg {
	return j.window(view, int(s.number("n")), s.word("align"))
}

// window keeps the last n messages.
func (j *judge) window(view []msg, n int, al string) []msg {
	head, rest := j.split(view)
	from := max(0, len(rest)-n)
	if from == 0 {
		return view
	}
	if al == "user" {
		for i := from; i < len(rest); i++ {
			if rest[i].role == model.User {
				from = i
				break
			}
		}
	}
	if al != "back" {
		return append(slices.Clone(head), j.since(rest, from)...)
	}
	wanted := map[int]bool{}
	for _, m := range rest[from:] {
		wanted[j.head(m)] = true
	}
	out := slices.Clone(head)
	for _, m := range rest {
		if wanted[j.head(m)] {
			out = append(out, m)
		}
	}
	return out
}

// TestSlidingWindowEqualsSpecification runs the function of the history manager specification
// on histories for which it is defined: at most one system message, at the start; every call
// answered once; every result directly after its call.
func TestSlidingWindowEqualsSpecification(t *testing.T) {
	for seed := range uint64(20) {
		run, thread := orderly(seed, 60)
		for n := 1; n < 64; n++ {
			chain, err := parseText(fmt.Sprintf("sliding_window(%d)", n))
			if err != nil {
				t.Fatal(err)
			}
			r, err := Replay(context.Background(), engine.Input{Run: run, Thread: thread, Sizes: engine.Guess(thread)}, chain)
			if err != nil {
				t.Fatal(err)
			}
			for call := 1; call <= r.Calls()+1; call++ {
				given := thread.Len()
				if call <= r.Calls() {
					given = thread.Calls[call-1].Given
				}
				var got []int
				for _, e := range r.View(call).Entries {
					if e.Fate != model.WasDropped {
						got = append(got, int(e.Index))
					}
				}
				if want := specWindow(thread, given, n); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("seed %d, window %d, call %d: %v, the specification has %v", seed, n, call, got, want)
				}
			}
		}
	}
}

// specWindow is SlidingWindowManager.curate of the specification, over indices.
func specWindow(t *model.Thread, given, size int) []int {
	var rest, system []int
	for i := range given {
		rest = append(rest, i)
	}
	if given <= 1 {
		return rest
	}
	if t.At(0).Role == model.System {
		system, rest = rest[:1], rest[1:]
	}
	if len(rest) > size {
		rest = rest[len(rest)-size:]
		for len(rest) > 0 && t.At(rest[0]).Role == model.Tool {
			rest = rest[1:]
		}
	}
	return append(append([]int{}, system...), rest...)
}

func orderly(seed uint64, n int) (*model.Run, *model.Thread) {
	g := curatetest.NewGenerator(seed)
	if seed%3 > 0 {
		g.Add(model.Message{Role: model.System}, "system")
	}
	for g.B.Len() < n {
		if g.Rand.IntN(3) == 0 {
			g.Add(model.Message{Role: model.User}, "user")
			continue
		}
		g.Unique = true
		for _, id := range g.Reply(g.Rand.IntN(4)) {
			g.Add(model.Message{Role: model.Tool, CallID: id}, "result")
		}
	}
	thread := g.B.Build()
	return &model.Run{ID: "r", Threads: []*model.Thread{thread}, Bodies: g.Arena}, thread
}
