package strategy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/curatetest"
	"agentlens/internal/model"
)

// TestReplayIsPlain compares every view of the engine with the plain form, for the chains of
// every strategy and for random chains of up to four stages.
func TestReplayIsPlain(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	chains := chainsUnderTest(t)
	rnd := rand.New(rand.NewPCG(3, 3))
	for range 150 {
		chains = append(chains, randomChain(t, rnd, false))
	}
	for n, text := range chains {
		c := parse(t, text)
		for seed := range uint64(6) {
			run, thread := conversationFor(c)(seed*1000+uint64(n), 90)
			compare(t, run, thread, c, fmt.Sprintf("%s, seed %d", text, seed*1000+uint64(n)))
			if t.Failed() {
				return
			}
		}
	}
}

// TestPinnedGroupThatLosesItsFirstMessage covers a first unit that begins with a result before
// its call. The result is dropped later, without the call.
func TestPinnedGroupThatLosesItsFirstMessage(t *testing.T) {
	text := "mask_observations(0) | truncate_tokens(600) | drop_tool_calls(9, tools=[read, search]) | truncate_tokens(300, pin_first=true)"
	run, thread := curatetest.Conversation(3218, 90)
	compare(t, run, thread, parse(t, text), text)
}

func compare(t *testing.T, run *model.Run, thread *model.Thread, c chain.Chain, name string) {
	t.Helper()
	in := inputOf(t, run, thread)
	in.Texts = false
	want := (&judge{run: run, thread: thread, sizes: in.Sizes}).views(c)
	got := mustReplay(t, in, c)
	for call := 1; call <= len(thread.Calls)+1; call++ {
		v := got.View(call)
		var have []string
		var count int
		var tok int64
		for e := range v.Sent() {
			have = append(have, fmt.Sprintf("%d/%s/%d", e.Index, e.Role, e.Tokens))
			count++
			tok += int64(e.Tokens)
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
