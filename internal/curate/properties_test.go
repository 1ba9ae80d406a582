package curate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// TestProperties holds what every view promises, for every strategy and for random
// chains of up to four stages on generated conversations: no pair broken that was
// whole, the system message kept, never larger, every drop and change explained,
// the same again when run again, the input as it was.
func TestProperties(t *testing.T) {
	chains := slices.Clone(stagesUnderTest)
	rnd := rand.New(rand.NewPCG(8, 8))
	for range 60 {
		chains = append(chains, randomChain(rnd, true))
	}
	for c, text := range chains {
		chain, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(6) {
			run, thread := conversation(seed*100+uint64(c), 60)
			promises(t, text, chain, run, thread)
		}
	}
}

// TestPropertiesOfOddHistories holds the same where there is next to nothing.
func TestPropertiesOfOddHistories(t *testing.T) {
	tool := func(g *generator) { g.add(model.Message{Role: model.Tool, CallID: "c1"}, "found") }
	call := func(g *generator) {
		g.add(model.Message{Role: model.Assistant, Calls: []model.ToolCall{{ID: "c1", Name: "read", Args: g.arena.Add("{}", "test")}}}, "")
	}
	say := func(role model.Role, text string) func(*generator) {
		return func(g *generator) { g.add(model.Message{Role: role}, text) }
	}
	user, system, reply := say(model.User, "hello there"), say(model.System, strings.Repeat("rule ", 400)), say(model.Assistant, "ok")
	for name, adds := range map[string][]func(*generator){
		"empty":           {},
		"system alone":    {system},
		"systems alone":   {system, system},
		"one user":        {user},
		"one reply":       {reply},
		"one orphan":      {tool},
		"one call":        {call},
		"no system":       {user, call, tool, reply, user},
		"late system":     {user, reply, system, user, reply},
		"empty texts":     {say(model.User, ""), say(model.Assistant, ""), say(model.User, "")},
		"marks alone":     {say(model.User, strings.Repeat("e\u0301\u0302\u0303", 200)), say(model.Assistant, "👩‍💻👩‍💻"), say(model.User, "日本語テスト")},
		"result and call": {tool, call, user},
		"huge result": {user, call, say(model.User, "x"), func(g *generator) {
			g.add(model.Message{Role: model.Tool, CallID: "c1"}, strings.Repeat("日本 ", 20_000))
		}},
		"call, no results": {user, call, user, call, user, call, user},
	} {
		for _, text := range stagesUnderTest {
			chain, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			g := newGenerator(1)
			for _, add := range adds {
				i := g.b.Len()
				if add(g); g.b.At(i).Role == model.Assistant {
					th := g.b.Thread()
					th.Calls = append(th.Calls, model.Call{Number: len(th.Calls) + 1, Given: i, Reply: model.Some(i)})
				}
			}
			thread := g.b.Build()
			promises(t, name+", "+text, chain, &model.Run{Threads: []*model.Thread{thread}, Bodies: g.arena}, thread)
		}
	}
}

// randomChain puts up to four stages together.
func randomChain(rnd *rand.Rand, keepSystem bool) string {
	var parts []string
	if rnd.IntN(3) == 0 {
		parts = append(parts, fmt.Sprintf("preserve(last=%d, system=%v)", rnd.IntN(6), keepSystem || rnd.IntN(4) > 0))
	}
	for range 1 + rnd.IntN(4) {
		parts = append(parts, stagesUnderTest[rnd.IntN(len(stagesUnderTest))])
		if slices.Contains(lastStages, parts[len(parts)-1]) {
			break
		}
	}
	return strings.Join(parts, " | ")
}

// promises replays a chain twice and holds every view to what views promise.
func promises(t *testing.T, text string, chain Chain, run *model.Run, thread *model.Thread) {
	t.Helper()
	sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	before := snapshot(thread)
	in := Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}
	r, err := Replay(context.Background(), in, chain)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Replay(context.Background(), in, chain)
	if err != nil {
		t.Fatal(err)
	}
	for call := 1; call <= r.Calls()+1; call++ {
		v := r.View(call)
		name := fmt.Sprintf("%s, call %d", text, call)
		pairsHold(t, name, thread, v)
		explained(t, name, run, thread, v, mayGrow(chain))
		if !reflect.DeepEqual(v, again.View(call)) {
			t.Fatalf("%s: another run gives another view", name)
		}
		v.Entries = nil
		if !reflect.DeepEqual(v, r.Brief(call)) {
			t.Fatalf("%s: the brief view differs", name)
		}
	}
	if snapshot(thread) != before {
		t.Fatalf("%s: the thread was changed", text)
	}
}

// mayGrow reports whether a chain may make a view larger than the history: a
// summary may be longer than the little it stands for.
func mayGrow(c Chain) bool {
	return slices.ContainsFunc(c, func(s Call) bool {
		return slices.Contains([]string{"compact", "compact_turns", "summarize", "repair", "render_template", "exec", "task_steps"}, s.Spec.Name)
	})
}

// pairsHold checks that a call and its result are kept or dropped together when
// both were given.
func pairsHold(t *testing.T, name string, thread *model.Thread, v *model.View) {
	t.Helper()
	given, kept := map[int]bool{}, map[int]*model.Entry{}
	madeUp := map[model.Answer]bool{}
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Answers != nil {
			madeUp[model.Answer{Message: e.Answers.Message, CallID: e.Answers.CallID}] = true
		}
		if e.Index >= 0 {
			given[int(e.Index)] = true
			if e.Fate != model.WasDropped {
				kept[int(e.Index)] = e
			}
		}
	}
	for i := range given {
		for j, c := range thread.At(i).Calls {
			if !c.Result.Known() || !given[c.Result.Or(-1)] {
				continue
			}
			call := kept[i] != nil && has(kept[i], j)
			result := kept[c.Result.Or(-1)] != nil || madeUp[model.Answer{Message: int32(i), CallID: c.ID}]
			for _, r := range thread.Members(i) { // a second result stands in for one that repair removed
				result = result || int(r) > i && kept[int(r)] != nil && thread.At(int(r)).CallID == c.ID && v.Stages[len(v.Stages)-1].Stage == "repair"
			}
			if call != result {
				t.Fatalf("%s: call %s of message %d kept: %v, its result %d kept: %v", name, c.ID, i, call, c.Result.Or(-1), result)
			}
		}
		if m := thread.At(i); m.Role == model.System && i == 0 && kept[i] == nil {
			t.Fatalf("%s: the system message was dropped", name)
		}
	}
}

func has(e *model.Entry, j int) bool {
	if e.Calls == nil {
		return true
	}
	for _, k := range e.Calls {
		if k == j {
			return true
		}
	}
	return false
}

func explained(t *testing.T, name string, run *model.Run, thread *model.Thread, v *model.View, mayGrow bool) {
	t.Helper()
	if !mayGrow && v.Curated.Tokens > v.Original.Tokens {
		t.Fatalf("%s: the view is larger: %v, history %v", name, v.Curated, v.Original)
	}
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Fate != model.Kept && (e.By == "" || e.Reason == "") {
			t.Fatalf("%s: message %d is %s and nothing says why: %+v", name, e.Index, e.Fate, e)
		}
		if e.Fate != model.WasChanged {
			continue
		}
		text, err := run.Text(thread.At(int(e.Index)))
		if err != nil {
			t.Fatal(err)
		}
		now := model.Join(text, e.Text)
		if !utf8.ValidString(now) {
			t.Fatalf("%s: message %d was cut inside a code point", name, e.Index)
		}
		if len(v.Stages) == 1 && utf8.RuneCountInString(now) > utf8.RuneCountInString(text) && e.Role == model.Tool && e.Tokens >= e.WasTokens {
			t.Fatalf("%s: message %d grew", name, e.Index)
		}
	}
}

func snapshot(t *model.Thread) string {
	var b strings.Builder
	for i := range t.Len() {
		fmt.Fprintf(&b, "%+v\n", t.Message(i))
	}
	return b.String()
}

// stateless reports whether a strategy that can be stateful is not, with the
// parameters it has: a mask whose cut moves at every call.
func stateless(text string) bool {
	return strings.HasPrefix(text, "mask_observations") && !strings.Contains(text, "every")
}

// TestIdempotent runs every stateless strategy twice.
func TestIdempotent(t *testing.T) {
	for c, text := range stagesUnderTest {
		chain, _ := Parse(text)
		if chain[0].Spec.Stateful && !stateless(text) || slices.Contains(lastStages, text) {
			continue
		}
		twice, err := Parse(text + " | " + text)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(8) {
			run, thread := conversation(seed*77+uint64(c), 60)
			sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
			if err != nil {
				t.Fatal(err)
			}
			in := Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}
			one, err1 := Replay(context.Background(), in, chain)
			two, err2 := Replay(context.Background(), in, twice)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			for call := 1; call <= one.Calls()+1; call++ {
				_, a := one.Tally(call)
				_, b := two.Tally(call)
				if a != b {
					t.Errorf("%s, seed %d, call %d: once %v, twice %v", text, seed, call, a, b)
				}
			}
		}
	}
}

// TestSlidingWindowEqualsSpecification runs the function of the history manager
// specification on histories it is defined for: at most one system message, at
// the head, every result right after its call, every call answered once.
func TestSlidingWindowEqualsSpecification(t *testing.T) {
	for seed := range uint64(20) {
		run, thread := orderly(seed, 60)
		for n := 1; n < 64; n++ {
			chain, err := Parse(fmt.Sprintf("sliding_window(%d)", n))
			if err != nil {
				t.Fatal(err)
			}
			r, err := Replay(context.Background(), Input{Run: run, Thread: thread, Sizes: Guess(thread)}, chain)
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
	g := newGenerator(seed)
	if seed%3 > 0 {
		g.add(model.Message{Role: model.System}, "system")
	}
	for g.b.Len() < n {
		if g.rnd.IntN(3) == 0 {
			g.add(model.Message{Role: model.User}, "user")
			continue
		}
		g.unique = true
		for _, id := range g.reply(g.rnd.IntN(4)) {
			g.add(model.Message{Role: model.Tool, CallID: id}, "result")
		}
	}
	thread := g.b.Build()
	return &model.Run{ID: "r", Threads: []*model.Thread{thread}, Bodies: g.arena}, thread
}

// TestTruncateText checks the cut itself: code points, grapheme clusters, a
// suffix longer than the limit.
func TestTruncateText(t *testing.T) {
	for _, tc := range []struct {
		text string
		cut  cutText
		want string
	}{
		{"abcdefghij", cutText{max: 6, suffix: "…"}, "abcde…"},
		{"abcdefghij", cutText{max: 6, suffix: "…", keep: "tail"}, "…fghij"},
		{"abcdefghij", cutText{max: 6, suffix: "…", keep: "both"}, "abc…ij"},
		{"abcdefghij", cutText{max: 3, suffix: "......"}, "..."},
		{"abcdefghij", cutText{max: 0, suffix: "x"}, ""},
		{"abcdefghij", cutText{max: 6, suffix: "...", exact: true, from: 10}, "abc..."},
		{"abcdefghij", cutText{max: 3, suffix: ".....", exact: true, from: 10}, "abcdefgh....."},
		{"abe\u0301\u0302cd", cutText{max: 4, suffix: "", exact: true, from: 7}, "abe\u0301"},
		{"日本語テスト", cutText{max: 3, suffix: "…"}, "日本…"},
		{"abe\u0301\u0302cd", cutText{max: 4, suffix: ""}, "ab"},
		{"x👩‍💻yz", cutText{max: 3, suffix: ""}, "x"},
	} {
		c := content{original: tc.text, text: []model.Piece{{Start: 0, End: len(tc.text)}}}
		tc.cut.apply(&c)
		if got := model.Join(tc.text, c.text); got != tc.want {
			t.Errorf("%q cut to %d (%s): %q, want %q", tc.text, tc.cut.max, tc.cut.keep, got, tc.want)
		}
	}
}
