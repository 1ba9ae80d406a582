package model

import (
	"math"
	"testing"
)

func TestSplit(t *testing.T) {
	known := Ledger{Head: 25_000, Restored: 5000, HeadKnown: true}
	for _, tc := range []struct {
		name             string
		ledger           Ledger
		prompt, messages int64
		want             Split
	}{
		{"explained", known, 120_000, 100_000, Split{Head: 20_000}},
		{"not worth reporting: less than 3 %", known, 123_000, 100_000, Split{Head: 23_000}},
		{"text that is not in the record", known, 150_000, 100_000, Split{Head: 20_000, Missing: 30_000}},
		{"more text than was counted", known, 100_000, 120_000, Split{Head: 20_000, Excess: 40_000}},
		{"the messages fit, the system prompt does not", known, 110_000, 100_000, Split{Head: 20_000, Excess: 10_000}},
		{"no head: the rest is system prompt and tools", Ledger{}, 50_000, 10_000, Split{Head: 40_000}},
		{"no head, and more text than was counted", Ledger{}, 10_000, 50_000, Split{Excess: 40_000}},
		{"a small prompt", Ledger{}, 5, 93, Split{Excess: 88}},
		{"a small prompt, estimated a little too high", Ledger{}, 1000, 1100, Split{}},
		{"nothing", Ledger{}, 0, 0, Split{}},
		{"an absurd head", Ledger{Head: math.MaxInt64, HeadKnown: true}, 5, 93, Split{Head: math.MaxInt64, Excess: math.MaxInt64}},
		{"absurd", known, math.MaxInt64, 0, Split{Head: 20_000, Missing: math.MaxInt64 - 20_000}},
	} {
		got := tc.ledger.Split(tc.prompt, tc.messages)
		if got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
		if got.Head < 0 || got.Missing < 0 || got.Excess < 0 {
			t.Errorf("%s: %+v has a negative part", tc.name, got)
		}
	}
}
