package engine

import (
	"math"
	"testing"

	"agentlens/internal/model"
)

// TestLedgers computes a thread by hand. Its counts are 10,000 tokens and 1.2 times its
// messages; 500 more are counted from call 7 on, and a compaction restarts the prompt with
// 3,000 tokens that the record lacks.
func TestLedgers(t *testing.T) {
	messages := []int64{1000, 2000, 3000, 4000, 5000, 6000, 7000, 500, 1500}
	counted := []int64{11_200, 12_400, 13_600, 14_800, 16_000, 17_200, 18_900, 13_600, 0}
	states := []model.PromptState{model.PromptFirst, model.PromptAppended, model.PromptAppended, model.PromptAppended, model.PromptAppended, model.PromptAppended, model.PromptUnknown, model.PromptRestarted, model.PromptUnknown}
	th := &model.Thread{}
	for i := range messages {
		c := model.Call{Number: i + 1, Given: i + 1, State: states[i]}
		if counted[i] > 0 {
			c.Usage.Set(model.UsageInput, counted[i])
		}
		th.Calls = append(th.Calls, c)
	}
	list := Ledgers(th, func(call int) int64 {
		if call > len(messages) {
			return 2000
		}
		return messages[call-1]
	})
	want := []model.Ledger{
		{Counted: 11_200, Messages: 1000, Head: 10_000, UnexplainedKnown: true},
		{Counted: 12_400, Messages: 2000, Head: 10_000, UnexplainedKnown: true},
		{Counted: 13_600, Messages: 3000, Head: 10_000, UnexplainedKnown: true},
		{Counted: 14_800, Messages: 4000, Head: 10_000, UnexplainedKnown: true},
		{Counted: 16_000, Messages: 5000, Head: 10_000, UnexplainedKnown: true},
		{Counted: 17_200, Messages: 6000, Head: 10_000, UnexplainedKnown: true},
		{Counted: 18_900, Messages: 7000, Head: 10_000, Unexplained: 500, UnexplainedKnown: true},
		{Counted: 13_600, Messages: 500, Head: 13_000, Restored: 3000, UnexplainedKnown: true},
		{Messages: 1500, Head: 13_000, Restored: 3000},
		{Messages: 2000, Head: 13_000, Restored: 3000},
	}
	for i := range want {
		want[i].Factor, want[i].HeadKnown = 1.2, true
		if got := list[i]; got != want[i] {
			t.Errorf("call %d: %+v, want %+v", i+1, got, want[i])
		}
	}
	if tokens, worth := list[7].Missing(); tokens != 3000 || !worth {
		t.Errorf("after the restart %d tokens are missing (%v), want 3,000", tokens, worth)
	}
	if _, worth := list[6].Missing(); worth {
		t.Error("500 tokens are not worth reporting")
	}
	for i := range th.Calls { // four steps are too few
		th.Calls[i].State = model.PromptUnknown
	}
	for _, l := range Ledgers(th, func(int) int64 { return 1 }) {
		if l.Factor != 0 || l.HeadKnown || l.UnexplainedKnown {
			t.Errorf("without appended steps: %+v", l)
		}
	}
}

// TestLedgersOfHostileCounts checks that absurd counts neither panic nor overflow.
func TestLedgersOfHostileCounts(t *testing.T) {
	th := &model.Thread{}
	for i := range 20 {
		c := model.Call{Number: i + 1, Given: i + 1, State: model.PromptAppended}
		c.Usage.Set(model.UsageInput, []int64{math.MaxInt64, 1, 0, 1 << 40}[i%4])
		th.Calls = append(th.Calls, c)
	}
	for _, size := range []int64{0, 1, math.MaxInt64} {
		list := Ledgers(th, func(call int) int64 { return size / 2 * int64(call%3) })
		for call := 0; call <= len(list)+1; call++ {
			if e, ok := Expect(th, list, call, false); ok && (e.Tokens < 0 || e.Within < 0) {
				t.Errorf("call %d: %+v", call, e)
			}
		}
	}
}
