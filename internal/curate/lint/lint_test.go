package lint

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agentlens/internal/curate"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

// thread makes a run of a history in short: s, u, a and t are the roles; a+c1+c2
// makes calls, t:c1 answers one, t alone has no id; a 0 behind the role is an
// empty text, an i an image; every reply is a call of the provider.
func thread(history string) (*model.Run, *model.Thread) {
	arena := &source.Arena{}
	b := model.NewThread("t", "main")
	for _, word := range strings.Fields(history) {
		m := model.Message{Step: fmt.Sprint("part ", b.Len()/6)}
		word, m.CallID, _ = strings.Cut(word, ":")
		names := strings.Split(word, "+")
		head := names[0]
		m.Role = map[byte]model.Role{'s': model.System, 'u': model.User, 'a': model.Assistant, 't': model.Tool}[head[0]]
		switch head[1:] {
		case "":
			if len(names) == 1 || m.Role != model.Assistant {
				m.Parts = []model.Part{{Kind: model.Text, Body: arena.Add("some text to say", "test")}}
			}
		case "i":
			m.Parts = []model.Part{{Kind: model.Image}}
		}
		for _, id := range names[1:] {
			m.Calls = append(m.Calls, model.ToolCall{ID: id, Name: "look", Args: arena.Add("{}", "test")})
		}
		i := b.Add(m)
		if m.Role == model.Assistant {
			t := b.Thread()
			t.Calls = append(t.Calls, model.Call{Number: len(t.Calls) + 1, Given: i, Reply: model.Some(i)})
		}
	}
	t := b.Build()
	return &model.Run{ID: "r", Threads: []*model.Thread{t}, Bodies: arena}, t
}

func replay(t *testing.T, run *model.Run, chain string) *curate.Replayed {
	t.Helper()
	parsed, err := curate.Parse(chain)
	if err != nil {
		t.Fatal(err)
	}
	thread := run.Threads[0]
	sizes, err := curate.Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := curate.Replay(context.Background(), curate.Input{Run: run, Thread: thread, Sizes: sizes, Texts: true, Runner: same{}}, parsed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// same is a program that prints what it is given.
type same struct{}

func (same) Run(_ context.Context, _ string, input []byte) ([]byte, error) { return input, nil }

func check(t *testing.T, l *Linter, v *model.View, provider string) []model.Problem {
	t.Helper()
	found, err := l.Check(v, provider)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestRules gives for each history what each provider finds in it, as rule@message.
func TestRules(t *testing.T) {
	const everywhere = "everywhere"
	tests := []struct {
		name, history string
		want          map[string]string
	}{
		{"a valid history", "s u a+c1+c2 t:c2 t:c1 a u", nil},
		{"an orphan", "u t:x u", map[string]string{everywhere: "orphan-result@1"}},
		{"an unanswered call", "u a+c1+c2 t:c1 u", map[string]string{everywhere: "unanswered-call@1"}},
		{"a call at the end", "u a+c1", map[string]string{everywhere: "unanswered-call@1"}},
		{"a late result", "u a+c1 u t:c1", map[string]string{openAI: "results-not-adjacent@1", anthropic: "results-not-adjacent@1", gemini: "results-not-adjacent@1"}},
		{"a result before its call", "u t:c1 a+c1 u", map[string]string{openAI: "results-not-adjacent@2", anthropic: "results-not-adjacent@2", gemini: "results-not-adjacent@2"}},
		{"one of a batch late", "u a+c1+c2 t:c1 a t:c2", map[string]string{openAI: "results-not-adjacent@1", anthropic: "results-not-adjacent@1", gemini: "results-not-adjacent@1"}},
		{"a system message between", "u a+c1 s t:c1 u", map[string]string{openAI: "results-not-adjacent@1"}},
		{"a second result", "u a+c1 t:c1 t:c1 u", map[string]string{everywhere: "duplicate-result@3"}},
		{"an id used again", "u a+c1 t:c1 a+c1 t:c1 u", nil},
		{"many parallel calls", "u a+c1+c2+c3+c4+c5+c6+c7+c8 t:c8 t:c7 t:c6 t:c5 t:c4 t:c3 t:c2 t:c1 u", nil},
		{"results without ids", "u a+c1 t u", map[string]string{
			openAI: "unanswered-call@1 pairing-not-recorded@2", responses: "unanswered-call@1 pairing-not-recorded@2",
			anthropic: "unanswered-call@1 pairing-not-recorded@2", gemini: "orphan-result@2 unanswered-call@1",
		}},
		{"an empty message", "u a0 u", map[string]string{anthropic: "empty-content@1", gemini: "empty-content@1"}},
		{"an empty last reply", "u a0", map[string]string{gemini: "empty-content@1"}},
		{"an image alone", "ui u0", map[string]string{anthropic: "empty-content@1", gemini: "empty-content@1"}},
		{"an empty result", "u a+c1 t0:c1 u", nil},
		{"an empty system message", "s0 u", nil},
		{"it begins with a call", "s a+c1 t:c1 u", map[string]string{gemini: "first-not-user@1"}},
		{"it begins with a text", "s a u", nil},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		run, thread := thread(tt.history)
		r := replay(t, run, "passthrough")
		for _, p := range Providers() {
			var got []string
			for _, f := range check(t, New(run, thread, 0), r.View(r.Calls()+1), p) {
				got = append(got, fmt.Sprintf("%s@%d", f.Rule, f.Index))
				if f.Message == "" || f.Provider != p || strings.ContainsAny(f.Message, "{}") {
					t.Errorf("%s, %s: message %q of provider %q", tt.name, p, f.Message, f.Provider)
				}
			}
			want := tt.want[everywhere] + tt.want[p]
			if strings.Join(got, " ") != want {
				t.Errorf("%s, %s: got %q, want %q", tt.name, p, got, want)
			}
		}
	}
}

func TestTexts(t *testing.T) {
	tests := []struct{ history, provider, want string }{
		{"s u a+c1+c2 u", openAI, "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: c1, c2"},
		{"s u a+c1+c2 u", responses, "No tool output found for function call c1, c2."},
		{"s u a+c1+c2 u", anthropic, "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: c1, c2. Each `tool_use` block must have a corresponding `tool_result` block in the next message."},
		{"s u a+c1 t:c1 t:x", anthropic, "messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: x. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."},
		{"u a+c1 t:c1 t:c1", openAI, "Invalid parameter: Duplicate value for 'tool_call_id' of 'c1', in messages[2] and messages[3]."},
		{"s u a0 u", gemini, "* GenerateContentRequest.contents[1].parts: contents.parts must not be empty."},
	}
	for _, tt := range tests {
		run, thread := thread(tt.history)
		r := replay(t, run, "passthrough")
		found := check(t, New(run, thread, 0), r.View(r.Calls()+1), tt.provider)
		if len(found) != 1 || found[0].Message != tt.want {
			t.Errorf("%s, %s:\n got %v\nwant %s", tt.history, tt.provider, found, tt.want)
		}
	}
}

func TestRequestsThatWereMade(t *testing.T) {
	run, thread := thread("u a a u")
	r := replay(t, run, "passthrough")
	l := New(run, thread, 0)
	if found := check(t, l, r.View(2), gemini); len(found) != 1 || found[0].Rule != "ends-with-model" || found[0].Index != 1 {
		t.Errorf("call 2 ends with a reply, got %v", found)
	}
	if found := check(t, l, r.View(1), gemini); len(found) > 0 {
		t.Errorf("call 1: %v", found)
	}
	v := r.View(3)
	for _, p := range Providers() {
		found := check(t, New(run, thread, v.Curated.Tokens-1), v, p)
		if len(found) != 1 || found[0].Rule != "over-window" || found[0].Index != -1 {
			t.Errorf("%s: one token over the window, got %v", p, found)
		}
		if found := check(t, New(run, thread, v.Curated.Tokens), v, p); len(found) > 0 {
			t.Errorf("%s: within the window, got %v", p, found)
		}
	}
	if _, err := l.Check(v, "morse"); err == nil || !strings.Contains(err.Error(), "want openai, ") {
		t.Errorf("an unknown provider: %v", err)
	}
}

func TestEmptyCallsArray(t *testing.T) {
	for calls, want := range map[string]int{`[]`: 1, `[ ]`: 1, `null`: 0} {
		arena := &source.Arena{}
		b := model.NewThread("t", "main")
		text := model.Part{Kind: model.Text, Body: arena.Add("hi", "test")}
		b.Add(model.Message{Role: model.User, Parts: []model.Part{text}})
		b.Add(model.Message{Role: model.Assistant, Parts: []model.Part{text}, Origin: []model.Ref{arena.Add(`{"role":"assistant","content":"hi","tool_calls":`+calls+`}`, "test")}})
		thread := b.Build()
		run := &model.Run{Threads: []*model.Thread{thread}, Bodies: arena, Dialect: model.ChatDialect}
		found := check(t, New(run, thread, 0), replay(t, run, "passthrough").View(1), openAI)
		if len(found) != want {
			t.Errorf("tool_calls %s: %v", calls, found)
		}
	}
}

// chains has every strategy in at least one form.
var chains = []string{
	"passthrough", "preserve(last=4) | sliding_window(2)", "sliding_window(1)", "sliding_window(5)", "sliding_window(7, align=back)", "last_turns(2)",
	"truncate_turns(3)", "truncate_tokens(60)", "token_budget(80)", "token_budget(120)", "token_budget(90, fit=best)", "token_budget(100, partial=true)", "truncate_tool_results(5)", "keep_active_tools([read])",
	"keep_active_tools([none])", "clear_tool_uses(50, keep=1)", "clear_tool_uses(50, keep=1, inputs=true)", "compact_turns(3, keep=1)",
	"head_tail(2, tail=6)", "head_tail(2, tail=3)", "repair", "sliding_window(4) | repair", "summarize(0.4, max_tokens=90, role=user)", "summarize(trigger=60, role=user)", "exec(cat)", "render_template", "keep_relevant(70)", "keep_relevant(150)", "clear_thinking", "mask_observations(1)", "prune_tool_outputs(20, minimum=5, skip_turns=1)", "drop_tool_calls(3)",
	"collapse_tool_groups(1)", "filter(roles=[tool])", "keep_text", "compact(60 tok, keep=4, role=user)", "compact(6 msgs, keep=0, role=user)",
	"task_steps(auto=60 tok)", `task_steps(["*:condensed"])`,
	"truncate_tool_results(5) | sliding_window(6)", "clear_tool_uses(50, keep=2) | token_budget(100)",
}

func TestEveryStrategyIsHeldToTheRules(t *testing.T) {
	for _, s := range curate.Specs() {
		if !slices.ContainsFunc(chains, func(c string) bool { return strings.Contains(c, s.Name) }) {
			t.Errorf("no chain has %s", s.Name)
		}
	}
}

// valid makes a history that every provider accepts at every call.
func valid(seed uint64) string {
	rnd := rand.New(rand.NewPCG(seed, 3))
	words := []string{"s"}
	for n := range 3 + rnd.IntN(8) {
		words = append(words, "u")
		for k := range rnd.IntN(4) {
			reply, results := "a", []string{}
			for c := range 1 + rnd.IntN(4) {
				id := fmt.Sprintf("c%d_%d_%d", n, k, c)
				if rnd.IntN(8) == 0 {
					id = fmt.Sprintf("again%d", c) // ids may be used again
				}
				reply += "+" + id
				results = append(results, "t:"+id)
			}
			rnd.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
			words = append(append(words, reply), results...)
		}
		words = append(words, "a")
	}
	return strings.Join(words, " ")
}

// TestViewsAreAccepted: no strategy makes of a valid history what a provider
// refuses. The one exception is a window that begins with a call, which only
// Gemini minds.
func TestViewsAreAccepted(t *testing.T) {
	views := 0
	for seed := range uint64(25) {
		run, thread := thread(valid(seed))
		l := New(run, thread, 0)
		for _, chain := range append([]string{"passthrough"}, chains...) {
			r := replay(t, run, chain)
			for call := 1; call <= r.Calls()+1; call++ {
				v := r.View(call)
				for _, p := range Providers() {
					for _, f := range check(t, l, v, p) {
						if f.Rule == "first-not-user" && chain != "passthrough" {
							continue
						}
						t.Fatalf("seed %d, %s, call %d: %s finds %s at message %d: %s", seed, chain, call, p, f.Rule, f.Index, f.Message)
					}
					views++
				}
			}
		}
	}
	if views < 5000 {
		t.Errorf("only %d views were looked at", views)
	}
}

// TestRepairedIsAccepted: of what is wrong with pairs, repair leaves nothing but
// late results, second ones, and calls that wait at the end.
func TestRepairedIsAccepted(t *testing.T) {
	for seed := range uint64(60) {
		run, thread := thread(hostile(seed))
		l := New(run, thread, 0)
		r := replay(t, run, "repair")
		for call := 1; call <= r.Calls()+1; call++ {
			v := r.View(call)
			for _, p := range Providers() {
				for _, f := range check(t, l, v, p) {
					waits := f.Rule == "unanswered-call" && f.Index >= lastSaid(v)
					if slices.Contains([]string{"orphan-result", "unanswered-call"}, f.Rule) && !waits && !unlinkedGroup(thread, f.Index) {
						t.Fatalf("seed %d (%s), call %d: %s finds %s at message %d", seed, hostile(seed), call, p, f.Rule, f.Index)
					}
				}
			}
		}
	}
}

// lastSaid is the last message of a view that is no result.
func lastSaid(v *model.View) int {
	last := -1
	for _, e := range v.Entries {
		if e.Fate != model.WasDropped && e.Index >= 0 && e.Role != model.Tool {
			last = int(e.Index)
		}
	}
	return last
}

// unlinkedGroup reports whether results that name no call stand with a message.
func unlinkedGroup(t *model.Thread, i int) bool {
	return i >= 0 && slices.ContainsFunc(t.Members(i), func(r int32) bool { m := t.At(int(r)); return m.Role == model.Tool && m.CallID == "" })
}

// hostile makes a history with everything that goes wrong with pairs.
func hostile(seed uint64) string {
	rnd := rand.New(rand.NewPCG(seed, 5))
	words := []string{"s"}
	for range 25 {
		id := fmt.Sprintf("c%d", rnd.IntN(8))
		words = append(words, []string{"u", "a", "s", "u0", "a0", "t:" + id, "t:" + id, "a+" + id, "a+" + id + "+d" + id, "t:d" + id, "t"}[rnd.IntN(11)])
	}
	return strings.Join(words, " ")
}

// TestViewsAreNoWorse: what is wrong with a pair in a view is wrong with it in the
// full history.
func TestViewsAreNoWorse(t *testing.T) {
	pairs := []string{"orphan-result", "unanswered-call", "duplicate-result", "pairing-not-recorded"}
	faults := 0
	for seed := range uint64(40) {
		run, thread := thread(hostile(seed))
		l := New(run, thread, 0)
		full := replay(t, run, "passthrough")
		for _, chain := range chains {
			r := replay(t, run, chain)
			call := r.Calls() + 1
			for _, p := range Providers() {
				known := map[string]bool{}
				for _, f := range check(t, l, full.View(call), p) {
					known[fmt.Sprint(f.Rule, f.Index)] = true
				}
				for _, f := range check(t, l, r.View(call), p) {
					faults++
					if slices.Contains(pairs, f.Rule) && !known[fmt.Sprint(f.Rule, f.Index)] {
						t.Errorf("seed %d (%s), %s: %s finds %s at message %d, not so in the full history", seed, hostile(seed), chain, p, f.Rule, f.Index)
					}
				}
			}
		}
	}
	if faults < 1000 {
		t.Errorf("only %d faults were looked at", faults)
	}
}

// TestWholeViewAgrees holds what a replayed view says of its own ends to the rules: it
// names a provider where that refuses the view.
func TestWholeViewAgrees(t *testing.T) {
	for _, tt := range []struct{ history, chain, rule string }{
		{"s u a u a", "filter([system, assistant])", "ends-with-model"},
		{"s u a u a", "passthrough", "ends-with-model"},
		{"s u a+c1 t:c1 u a", "filter([system, assistant, tool])", "first-not-user"},
		{"s u a u a", "sliding_window(2)", "first-not-user"},
	} {
		run, thread := thread(tt.history)
		r := replay(t, run, tt.chain)
		v := r.View(r.Calls())
		for _, provider := range []string{anthropic, gemini} {
			refused := slices.ContainsFunc(check(t, New(run, thread, 0), v, provider), func(p model.Problem) bool { return p.Rule == tt.rule })
			named := slices.ContainsFunc(v.Problems, func(p model.Problem) bool {
				return p.Rule == tt.rule && strings.Contains(p.Message, provider) && !strings.Contains(p.Message, "newer models of "+provider)
			})
			if refused != named {
				t.Errorf("%s of %q: %s refuses it: %v, and is named: %v in %+v", tt.chain, tt.history, provider, refused, named, v.Problems)
			}
		}
	}
}
