package view

import (
	"testing"

	"agentlens/internal/model"
)

// Consecutive retries share the row of the last one; a message or another marker between them separates
// them.
func TestFoldRetries(t *testing.T) {
	retry := func(after int, attempt int64) model.Marker {
		return model.Marker{Kind: model.Retry, After: after, Detail: []model.Detail{
			{Key: "what", Value: "API error"}, {Key: "attempt", Value: attempt}, {Key: "of", Value: int64(10)},
		}}
	}
	markers := []model.Marker{
		retry(3, 1), retry(3, 2), retry(3, 3), retry(4, 1), {Kind: model.Compaction, After: 4}, retry(4, 2),
	}
	want := []string{"", "", "retry ×3 · API error", "retry · API error · attempt 1 · of 10", "compaction", "retry · API error · attempt 2 · of 10"}
	fold := foldRetries(markers)
	for i := range markers {
		if got := fold.label(markers, i); got != want[i] {
			t.Errorf("marker %d: %q, want %q", i, got, want[i])
		}
	}
}
