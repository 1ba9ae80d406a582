package model_test

import (
	"testing"

	"agentlens/internal/model"
)

// TestMaybe checks the zero value and the limits.
func TestMaybe(t *testing.T) {
	for n, want := range map[int]int{-1: -9, 0: 0, 7: 7, 1<<32 - 2: 1<<32 - 2, 1<<32 - 1: -9} {
		if got := model.Some(n); got.Or(-9) != want || got.Known() != (want >= 0) {
			t.Errorf("Some(%d) is %d, known %v", n, got.Or(-9), got.Known())
		}
	}
	var none model.Maybe
	if _, ok := none.Get(); ok || none.Is(-1) || none.Max(model.Some(0)) != model.Some(0) {
		t.Error("the zero Maybe holds a number")
	}
}
