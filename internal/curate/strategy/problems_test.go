package strategy

import (
	"fmt"
	"testing"

	"agentlens/internal/curate/engine"
)

// TestWholeView checks that the problems of a view do not depend on which stage caused them,
// and that each is reported once.
func TestWholeView(t *testing.T) {
	run, thread, sizes := said(t, "s sys", "u one", "a two", "u three", "a four", "u five", "a six")
	in := engine.Input{Run: run, Thread: thread, Sizes: sizes}
	for _, tc := range []struct{ chain, want string }{
		{"sliding_window(3)", ""},
		{"sliding_window(2)", "first-not-user@4"},
		{"sliding_window(2) | repair", "first-not-user@4"},
		{"sliding_window(3) | sliding_window(2)", "first-not-user@4"},
		{fmt.Sprintf("token_budget(%d)", sizes.Tokens[0]+sizes.Tokens[4]+sizes.Tokens[5]), "first-not-user@4"},
		{"filter([system, assistant])", "first-not-user@2 ends-with-model@4"},
		{"filter([system])", "only-system@-1"},
		{"token_budget(1)", "over-budget@0"},
		{"sliding_window(2, align=user)", ""},
		{"passthrough", ""},
	} {
		r := views(t, in, tc.chain)
		got := ""
		for _, p := range r.View(3).Problems {
			got += fmt.Sprintf(" %s@%d", p.Rule, p.Index.Or(-1))
		}
		if got != "" {
			got = got[1:]
		}
		if got != tc.want {
			t.Errorf("%s at call 3: %q, want %q", tc.chain, got, tc.want)
		}
	}
	for _, p := range views(t, in, "passthrough").View(4).Problems {
		t.Errorf("the next call, after the record: %+v", p)
	}
	recorded, err := engine.Recorded(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if found := recorded.View(3).Problems; found != nil {
		t.Errorf("the record was sent as it is: %+v", found)
	}
}

// TestNoUserMessageFits checks that a view that cannot start with a user message has a problem.
func TestNoUserMessageFits(t *testing.T) {
	run, thread, sizes := said(t, "s sys", "u a question of many words that does not fit any more", "a two")
	in := engine.Input{Run: run, Thread: thread, Sizes: sizes}
	for chain, want := range map[string]bool{
		fmt.Sprintf("token_budget(%d, start_on=user)", sizes.Tokens[0]+sizes.Tokens[2]): true,
		"sliding_window(1, align=user)":                                  true,
		fmt.Sprintf("token_budget(%d)", sizes.Tokens[0]+sizes.Tokens[2]): false,
		"token_budget(1000, start_on=user)":                              false,
	} {
		v := views(t, in, chain).View(2)
		said := 0
		for _, p := range v.Problems {
			said += int(b2i(p.Rule == "start-not-user"))
		}
		if said != int(b2i(want)) {
			t.Errorf("%s: %d times in %+v", chain, said, v.Problems)
		}
	}
}
