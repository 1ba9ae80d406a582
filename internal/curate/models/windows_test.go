package models

import (
	"slices"
	"testing"
)

func TestWindowsOfModels(t *testing.T) {
	tab := table(t, Own{Name: "claude-haiku*", Window: 50_000}, Own{Name: "*", Window: 7_000})
	for _, tc := range []struct {
		name  string
		own   int64
		known []int64
	}{
		{"claude-opus-4-6", 0, []int64{200_000, 1_000_000}},
		{"claude-sonnet-4-5-20250929", 0, []int64{200_000, 1_000_000}},
		{"us.anthropic.claude-sonnet-4-20250514-v1:0", 0, []int64{200_000, 1_000_000}},
		{"claude-sonnet-4-5-20250929[1m]", 0, []int64{1_000_000}},
		{"claude-opus-4-5-20251101", 0, []int64{200_000}},
		{"claude-haiku-4-5", 50_000, []int64{200_000}},
		{"nobody-knows", 7_000, nil},
	} {
		if got := tab.Windows(tc.name); got.Own != tc.own || !slices.Equal(got.Model, tc.known) {
			t.Errorf("%s: %v, want %d and %v", tc.name, got, tc.own, tc.known)
		}
	}
}
