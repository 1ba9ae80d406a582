package evidence

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"agentlens/internal/curate/curatetest"
)

// TestFindKeepsNoText compares the evidence of texts in memory that is used again with that of texts of their own.
func TestFindKeepsNoText(t *testing.T) {
	lines := []string{"user: please fix internal/ledger/round.go and never touch 0042_ledger.sql"}
	for i := range 2 * holderBlock {
		lines = append(lines, "assistant: read(internal/ledger/round.go)", fmt.Sprintf("tool: line %d says errRounding%d in round_%d.go with RoundHalf%d", i, i, i, i),
			fmt.Sprintf("assistant: it is errRounding%d of RoundHalf%d in internal/ledger/round.go", i, i))
	}
	lines = append(lines, "user: and the first?", "assistant: line 3 says errRounding3 in round_3.go")
	in, want := lossSaid(t, lines...)
	reused := *in.Run
	reused.Bodies = curatetest.Reused{Bodies: in.Run.Bodies}
	got, err := Find(context.Background(), &reused, in.Thread, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := replay(t, in, "sliding_window(3)")
	if a, b := fmt.Sprint(Audit(r, got)), fmt.Sprint(Audit(r, want)); a != b || !strings.Contains(b, "round_3.go") {
		t.Errorf("got %.300s, want %.300s", a, b)
	}
	if a, b := describe(got), describe(want); a != b {
		t.Errorf("got %.300s, want %.300s", a, b)
	}
}
