package engine

import (
	"testing"

	"agentlens/internal/model"
)

// TestProblemsFor checks that a problem of Bedrock alone is reported only for Bedrock's own
// runs.
func TestProblemsFor(t *testing.T) {
	v := &model.View{Problems: []model.Problem{{Rule: "first-not-user", Provider: bedrock}, {Rule: "over-budget"}}}
	for format, want := range map[string]int{"bedrock-converse": 2, "claude-code": 1, "": 1} {
		if got := ProblemsFor(&model.Run{Format: format}, v); len(got) != want || len(v.Problems) != 2 {
			t.Errorf("of a run of %q: %v", format, got)
		}
	}
}
