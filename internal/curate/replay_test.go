package curate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// stagesUnderTest are stages with parameters small enough to bite on generated
// conversations.
var stagesUnderTest = []string{
	"passthrough", "sliding_window(0)", "sliding_window(1)", "sliding_window(7)", "sliding_window(7, align=back)", "sliding_window(9, align=user)",
	"last_turns(0)", "last_turns(2)", "last_turns(50)", "truncate_turns(0)", "truncate_turns(5)", "truncate_turns(3, pin_first=true)",
	"truncate_tokens(1)", "truncate_tokens(300)", "truncate_tokens(300, pin_first=true)", "truncate_tokens(400, tokens=chars/2.5)", "@flujo",
	"token_budget(0)", "token_budget(400)", "token_budget(900, start_on=user)",
	"truncate_tool_results(5)", "truncate_tool_results(60)", "truncate_tool_results(40, exact=true)", "truncate_tool_results(50, keep=both)", "truncate_tool_results(30, keep=tail)",
	"token_budget(500, fit=best)", "token_budget(60, fit=best)", "token_budget(400, partial=true)", "token_budget(300, partial=true, start_on=user)",
	"keep_active_tools([read, bash])", "keep_active_tools([])",
	"clear_tool_uses(200, keep=2)", "clear_tool_uses(400, keep=1, sticky=false)", "clear_tool_uses(300, keep=0, clear_at_least=200, exclude=[bash])",
	"compact_turns(4, keep=2)", "compact_turns(3, keep=1, max_chars=900)", "compact_turns(6, role=user)", "compact(5 turns, keep=0 turns)",
	"prune_tool_outputs(100, minimum=60)", "prune_tool_outputs(0, minimum=0, skip_turns=0)", "prune_tool_outputs(200, minimum=10, skip_turns=1, exempt=[bash])",
	"drop_tool_calls", "drop_tool_calls(0)", "drop_tool_calls(9, tools=[read, search])",
	"repair", "render_template", `render_template("{{#each history}}{{#if this.tool}}{{this.tool}}{{else}}{{this.role}}{{/if}} {{this.content}}|{{/each}}")`,
	"keep_relevant(0)", "keep_relevant(300)", "keep_relevant(900)",
	"filter", "filter([user, assistant])", "filter(names=[read])", "filter([user, tool, system])", "filter(ids=[m2, m5, m7, m20, m21])", "keep_text",
	"head_tail", "head_tail(3, tail=6)", "head_tail(0, tail=4)", "head_tail(2, tail=0)",
	"collapse_tool_groups", "collapse_tool_groups(1)", "collapse_tool_groups(0)",
	"mask_observations(2)", "mask_observations(2, every=3)", "mask_observations(0)", "clear_thinking", "clear_thinking(0)", "clear_thinking(3)",
	"summarize", "summarize(0.3, max_tokens=600, summary=extractive)", "summarize(0.9, max_tokens=1, role=user)", "summarize(trigger=500, role=system)", "summarize(0.6, trigger=8 texts, summary=placeholder(40))",
	"compact(9 msgs, keep=3, summary=recorded)", "compact(9 msgs, keep=3, summary=ends, role=user)",
	"compact(12 msgs, keep=5)", "compact(6 msgs, keep=0, role=user)", "compact(900, keep=2 turns)", "compact(3 turns, keep=200 tok)", "compact(700, keep=30%, role=assistant)",
	"compact(900, keep=2 turns, tokens=o200k)", "clear_tool_uses(300, keep=1, tokens=cl100k)", "token_budget(500, tokens=chars/4)", "token_budget(700, start_on=user, tokens=chars/2.5)",
}

// lastStages are those that no other may follow.
var lastStages = []string{"repair", "render_template", `render_template("{{#each history}}{{#if this.tool}}{{this.tool}}{{else}}{{this.role}}{{/if}} {{this.content}}|{{/each}}")`}

// TestReplayIsNaive holds every view of the engine against the naive form, for
// every strategy and for random chains of up to four stages.
func TestReplayIsNaive(t *testing.T) {
	chains := append([]string{}, stagesUnderTest...)
	rnd := rand.New(rand.NewPCG(3, 3))
	for range 150 {
		chains = append(chains, randomChain(rnd, false))
	}
	for c, text := range chains {
		chain, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for seed := range uint64(6) {
			run, thread := conversation(seed*1000+uint64(c), 90)
			compare(t, run, thread, chain, fmt.Sprintf("%s, seed %d", text, seed*1000+uint64(c)))
			if t.Failed() {
				return
			}
		}
	}
}

// TestPinnedGroupThatLosesItsFirstMessage: the first unit may begin with a result
// that stands before its call and is left out later, on its own.
func TestPinnedGroupThatLosesItsFirstMessage(t *testing.T) {
	text := "mask_observations(0) | truncate_tokens(600) | drop_tool_calls(9, tools=[read, search]) | truncate_tokens(300, pin_first=true)"
	chain, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	run, thread := conversation(3218, 90)
	compare(t, run, thread, chain, text)
}

func compare(t *testing.T, run *model.Run, thread *model.Thread, chain Chain, name string) {
	t.Helper()
	sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{thread: thread, sizes: sizes}
	want := j.run(chain)
	got, err := Replay(context.Background(), Input{Run: run, Thread: thread, Sizes: sizes}, chain)
	if err != nil {
		t.Fatal(err)
	}
	for call := 1; call <= len(thread.Calls)+1; call++ {
		v := got.View(call)
		var have []string
		var count int
		var tok int64
		for _, e := range v.Entries {
			if e.Fate != model.WasDropped {
				have = append(have, fmt.Sprintf("%d/%s/%d", e.Index, e.Role, e.Tokens))
				count++
				tok += int64(e.Tokens)
			}
		}
		var expect []string
		for _, m := range want[call-1] {
			i := -1
			if m.recorded() {
				i = m.message()
			}
			expect = append(expect, fmt.Sprintf("%d/%s/%d", i, m.role, m.tokens))
		}
		if strings.Join(have, " ") != strings.Join(expect, " ") {
			t.Errorf("%s, call %d:\n got %s\nwant %s", name, call, strings.Join(have, " "), strings.Join(expect, " "))
			return
		}
		if count != v.Curated.Messages || tok != v.Curated.Tokens {
			t.Errorf("%s, call %d: tally says %v, entries %d messages %d tokens", name, call, v.Curated, count, tok)
			return
		}
	}
}
