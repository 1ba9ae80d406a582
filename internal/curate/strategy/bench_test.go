//go:build unix

package strategy

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/curatetest"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// longThread returns a fixed conversation of n messages with a call every second message: user,
// then assistant with one or two calls, and their results.
func longThread(n int) (*model.Thread, *engine.Sizes) {
	b := model.NewThread("long", "main")
	sizes := &engine.Sizes{Method: "fixed"}
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
		t.Calls = append(t.Calls, model.Call{Number: len(t.Calls) + 1, Given: b.Len(), Reply: model.Some(b.Len())})
		add(m, int32(30+next(60)))
		for _, c := range ids {
			add(model.Message{Role: model.Tool, CallID: c}, int32(next(1500)))
		}
	}
	return b.Build(), sizes
}

// measuredChains returns the benchmark chains in the order of the strategies.
func measuredChains(b *testing.B) []chain.Chain {
	var chains []chain.Chain
	all := trials()
	for _, s := range Language().Strategies {
		for _, text := range all[s.Name].large {
			chains = append(chains, parse(b, text))
		}
	}
	return chains
}

// A subject is a thread to replay.
type subject struct {
	thread *model.Thread
	sizes  *engine.Sizes
	run    *model.Run // nil disables texts
}

func newSubject(n int) subject {
	thread, sizes := longThread(n)
	return subject{thread: thread, sizes: sizes}
}

func (s subject) replay(b *testing.B, chain chain.Chain) *engine.Replayed {
	b.Helper()
	r, err := Replay(context.Background(), engine.Input{Run: s.run, Thread: s.thread, Sizes: s.sizes, Texts: s.run != nil}, chain)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// least returns the shorter of the time so far and the time of another replay. Other load on the machine can
// only lengthen a time.
func (s subject) least(b *testing.B, chain chain.Chain, so time.Duration) time.Duration {
	d := spent(-1, func() { s.replay(b, chain) })
	if so == 0 || d < so {
		return d
	}
	return so
}

// spent returns the processor time of do with the garbage collector set to percent, or -1 for
// off. Wall-clock time would include other load on the machine.
func spent(percent int, do func()) time.Duration {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	before := processorTime()
	do()
	return processorTime() - before
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// growth returns time(large)/time(small) of a chain. It uses the best times and repeats until
// the ratio is within the limit.
func growth(b *testing.B, small, large subject, chain chain.Chain, limit float64) (at time.Duration, ratio float64) {
	var one, two time.Duration
	for range 6 {
		one, two = small.least(b, chain, one), large.least(b, chain, two)
		if ratio = float64(two) / float64(one); ratio <= limit {
			break
		}
	}
	return one, ratio
}

// nearlyLinear limits the growth of time when the number of messages doubles.
const nearlyLinear = 2.3

// BenchmarkScale replays every strategy over every call of threads of 100,000 and 200,000
// messages with known token counts.
func BenchmarkScale(b *testing.B) {
	small, large := newSubject(100_000), newSubject(200_000)
	for _, chain := range measuredChains(b) {
		b.Run(chain.String(), func(b *testing.B) {
			at, ratio := growth(b, small, large, chain, nearlyLinear)
			b.ReportMetric(float64(at.Nanoseconds())/100_000, "ns/message")
			b.ReportMetric(ratio, "x/doubled")
			b.ReportMetric(0, "ns/op")
			if ratio > nearlyLinear {
				b.Errorf("twice the messages cost %.2f times as much", ratio)
			}
		})
	}
}

// BenchmarkScalePairs measures every chain of two strategies at a tenth of the size, where a
// run takes milliseconds. It repeats those that grow too fast at the full size.
func BenchmarkScalePairs(b *testing.B) {
	small, large := newSubject(10_000), newSubject(20_000)
	full, twice := newSubject(100_000), newSubject(200_000)
	singles := measuredChains(b)
	pairs, again, worst := 0, 0, 0.0
	for _, first := range singles {
		for _, second := range singles {
			if first[0].Spec.Last || second[0].Spec.First {
				continue
			}
			pairs++
			chain := append(first[:len(first):len(first)], second...)
			at, ratio := growth(b, small, large, chain, nearlyLinear)
			if ratio > nearlyLinear {
				again++
				at, ratio = growth(b, full, twice, chain, nearlyLinear)
			}
			if worst = max(worst, ratio); ratio > nearlyLinear {
				b.Errorf("%s: %v at 100,000 messages, and twice the messages cost %.2f times as much", chain, at, ratio)
			}
		}
	}
	b.ReportMetric(float64(pairs), "pairs")
	b.ReportMetric(float64(again), "measured-twice")
	b.ReportMetric(worst, "x/doubled")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkScaleTexts measures every strategy with texts that are read and counted.
func BenchmarkScaleTexts(b *testing.B) {
	small, large := talk(b, 10_000), talk(b, 20_000)
	for _, chain := range measuredChains(b) {
		b.Run(chain.String(), func(b *testing.B) {
			at, ratio := growth(b, small, large, chain, nearlyLinear)
			b.ReportMetric(float64(at.Nanoseconds())/10_000, "ns/message")
			b.ReportMetric(ratio, "x/doubled")
			b.ReportMetric(0, "ns/op")
			if ratio > nearlyLinear {
				b.Errorf("twice the messages cost %.2f times as much", ratio)
			}
		})
	}
}

// talk returns a generated conversation with texts.
func talk(b *testing.B, n int) subject {
	run, thread := curatetest.Conversation(5, n)
	sizes, err := engine.Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		b.Fatal(err)
	}
	return subject{thread, sizes, run}
}

// BenchmarkNaive compares every strategy with its plain form on 10,000 messages. The plain
// form processes the whole history at each call. Because it is slow, it runs at one call in
// twenty and its time is multiplied by twenty.
func BenchmarkNaive(b *testing.B) {
	s := newSubject(10_000)
	const oneIn = 20
	for _, chain := range measuredChains(b) {
		b.Run(chain.String(), func(b *testing.B) {
			engine := s.least(b, chain, s.least(b, chain, 0))
			plain := spent(800, func() {
				(&judge{run: s.run, thread: s.thread, sizes: s.sizes}).each(chain, oneIn, func([]msg) {})
			})
			faster := oneIn * float64(plain) / float64(engine)
			b.ReportMetric(faster, "x/faster")
			b.ReportMetric(0, "ns/op")
			if faster < 50 {
				b.Errorf("only %.0f times faster than the plain form", faster)
			}
		})
	}
}

// BenchmarkFigures prints the figures of the engine that BENCHMARKS.md lists. It checks no limits.
func BenchmarkFigures(b *testing.B) {
	best := func(s subject, text string) time.Duration {
		chain, least := parse(b, text), time.Duration(0)
		for range 5 {
			least = s.least(b, chain, least)
		}
		return least
	}
	eighth, whole := newSubject(12_500), newSubject(100_000)
	sum, slowest := time.Duration(0), time.Duration(0)
	for _, text := range []string{"sliding_window(50)", "clear_tool_uses(30000, keep=3)", "truncate_tool_results(2000)", "head_tail(20, tail=50)"} {
		sum += best(whole, text)
		r := whole.replay(b, parse(b, text))
		for i := range 5 {
			least := time.Hour
			for range 5 {
				least = min(least, spent(-1, func() { r.View(1 + r.Calls()*i/4) }))
			}
			slowest = max(slowest, least)
		}
	}
	ratio := func(x, y time.Duration) float64 { return float64(x) / float64(y) }
	long := "head_tail(20000, tail=20000)"
	b.ReportMetric(float64(sum.Microseconds())/1000, "ms-four-strategies")
	b.ReportMetric(float64(slowest.Microseconds())/1000, "ms-view")
	b.ReportMetric(ratio(best(whole, long), best(eighth, long)), "x-head_tail-eightfold")
	b.ReportMetric(ratio(best(whole, "keep_relevant(1M)"), best(whole, "keep_relevant(20k)")), "x-keep_relevant-1M-20k")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkView reads views from a replay of every strategy over 100,000 messages.
func BenchmarkView(b *testing.B) {
	s := newSubject(100_000)
	for _, chain := range measuredChains(b) {
		if chain[0].Spec.Name == "render_template" {
			continue // rendering needs texts, and this subject has none
		}
		r := s.replay(b, chain)
		b.Run(chain.String(), func(b *testing.B) {
			slowest := time.Duration(0)
			for i := range 9 {
				call := 1 + r.Calls()*i/8
				least := time.Hour
				for range 3 {
					least = min(least, spent(-1, func() { r.View(call) }))
				}
				slowest = max(slowest, least)
			}
			b.ReportMetric(float64(slowest.Microseconds())/1000, "ms/view")
			b.ReportMetric(0, "ns/op")
			if slowest > 16*time.Millisecond {
				b.Errorf("a view took %v", slowest)
			}
		})
	}
}
