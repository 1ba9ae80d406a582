package message

import (
	"testing"

	"agentlens/internal/ui/kit"
)

// Signs keep their styles in the overview, and each line begins with the number of its first call.
func TestOverviewOfFates(t *testing.T) {
	signs := make([]kit.Part, fatesPerLine+1)
	for i := range signs {
		signs[i] = kit.Part{Own: "│", St: kit.Kept}
	}
	signs[fatesPerLine] = kit.Part{Own: "−", St: kit.Dropped}
	lines := kit.WrapBlocks(overview(signs), 80, kit.PagerLines, nil)
	if len(lines) != 2 || len(lines[0].Parts) != 1+fatesPerLine || len(lines[1].Parts) != 2 {
		t.Fatalf("%d lines: %v", len(lines), lines)
	}
	if got, want := lines[0].Parts[1], (kit.Part{Own: "│", St: kit.Kept}); got != want {
		t.Errorf("call 1 has %v, want %v", got, want)
	}
	if got, want := lines[1].Parts[0].Own+lines[1].Parts[1].Own, kit.Words("    51  −"); got != want || lines[1].Parts[1].St != kit.Dropped {
		t.Errorf("line 2 is %q in style %v, want %q", got, lines[1].Parts[1].St, want)
	}
}
