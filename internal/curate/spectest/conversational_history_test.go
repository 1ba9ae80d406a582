package spectest

import (
	"slices"
	"testing"

	"agentlens/internal/curate/settings"
)

// TestMinimalLoop runs "21) Examples": the minimal conversational loop keeps the newest turns
// within 4,096 tokens, the default of truncate_tokens.
func TestMinimalLoop(t *testing.T) {
	r, err := settings.Read(`version: "0.1"
steps:
  - kind: step
    name: get_goal
  - kind: loop
    name: clarification_loop
    loop:
      conversation: true
      history_management:
        strategy: truncate_tokens
        max_tokens: 4096
      ai_turn_source: last
      body:
        - kind: step
          name: clarify
          use_history: true

  - kind: step
    name: planner
`, "")
	if err != nil || r.Dialect != "flujo" || r.Chain != "keep_text | truncate_tokens(tokens=chars/2.5, pin_first=true)" {
		t.Errorf("the loop is %s %q (%v)", r.Dialect, r.Chain, err)
	}
}

// TestHistoryStrategies runs the strategies of "10) History Management" on a conversation of ten
// turns: the newest within the bound stay, in order. "user: message 8" has 15 characters, 6
// tokens, and "assistant: message 9" has 20, 8 tokens.
func TestHistoryStrategies(t *testing.T) {
	run := open(t, chat(false, 10))
	for _, tt := range []struct {
		chain string
		want  []int
	}{
		{"keep_text | truncate_turns(20)", []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"keep_text | truncate_turns(3)", []int{7, 8, 9}},
		{"keep_text | truncate_turns(3, pin_first=true)", []int{0, 7, 8, 9}},
		{"keep_text | truncate_tokens(4096, tokens=chars/2.5)", []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"keep_text | truncate_tokens(22, tokens=chars/2.5)", []int{7, 8, 9}},
		{"keep_text | truncate_tokens(21, tokens=chars/2.5)", []int{8, 9}},
	} {
		if got := indices(next(t, run, tt.chain)); !slices.Equal(got, tt.want) {
			t.Errorf("%s sends %v, want %v", tt.chain, got, tt.want)
		}
	}
}

// TestOnlyNaturalLanguage runs "14) Failure Modes": calls and their results are not injected.
func TestOnlyNaturalLanguage(t *testing.T) {
	list := next(t, open(t, tooled(2, 10)), "keep_text")
	if got := indices(list); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("messages %v are sent, want the texts 0 and 1", got)
	}
}
