package strategy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"agentlens/internal/curate/chain"
	"agentlens/internal/model"
)

// TestPrefixIsPlain compares the shared prefix of consecutive views, as the engine reports
// it, with a comparison of their entries from the beginning.
func TestPrefixIsPlain(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	chains := chainsUnderTest(t)
	rnd := rand.New(rand.NewPCG(8, 8))
	for range 40 {
		chains = append(chains, randomChain(t, rnd, false))
	}
	for n, text := range chains {
		c := parse(t, text)
		for seed := range uint64(4) {
			run, thread := conversationFor(c)(seed*100+uint64(n), 70)
			comparePrefixes(t, run, thread, c, fmt.Sprintf("%s, seed %d", text, seed*100+uint64(n)))
		}
	}
}

// TestPrefixOfDroppedMessages covers a message that is dropped at two calls for different
// reasons: the second drop does not break the prefix.
func TestPrefixOfDroppedMessages(t *testing.T) {
	run, thread := conversationFor(parse(t, "sliding_window(6)"))(11, 120)
	for _, text := range []string{"sliding_window(6)", "sliding_window(20)", "head_tail(2, tail=5)"} {
		comparePrefixes(t, run, thread, parse(t, text), text)
	}
}

// comparePrefixes replays a chain and checks Flow, Broke and the prefix of each view.
func comparePrefixes(t *testing.T, run *model.Run, thread *model.Thread, c chain.Chain, name string) {
	t.Helper()
	r := mustReplay(t, inputOf(t, run, thread), c)
	flow := r.Flow()
	var before []model.Entry
	for call := 1; call <= r.Calls()+1; call++ {
		v := r.View(call)
		sent := sentOf(v)
		kept, tokens := 0, int64(0)
		for kept < min(len(before), len(sent)) && sameEntry(before[kept], sent[kept]) {
			tokens += int64(sent[kept].Tokens)
			kept++
		}
		broke := kept < len(before)
		if v.PrefixKept != kept || flow[call-1].Prefix != tokens || v.PrefixBreak.Known() != broke || r.Broke(call) != broke {
			t.Errorf("%s, call %d: %d messages of %d tokens are kept, break %v and %v; want %d of %d, %v",
				name, call, v.PrefixKept, flow[call-1].Prefix, v.PrefixBreak, r.Broke(call), kept, tokens, broke)
			return
		}
		before = sent
	}
}

// sameEntry reports whether two entries put the same message into a request.
func sameEntry(a, b model.Entry) bool {
	return a.Index == b.Index && a.Role == b.Role && a.Answers() == b.Answers() && a.Tokens == b.Tokens &&
		(a.Text() == nil) == (b.Text() == nil) && slices.Equal(a.Text(), b.Text()) && slices.Equal(a.Calls(), b.Calls()) && (a.Calls() == nil) == (b.Calls() == nil) &&
		a.NoThinking == b.NoThinking && a.EmptyArgs == b.EmptyArgs
}
