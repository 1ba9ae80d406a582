package inspector

import (
	"context"
	"strings"
	"testing"

	"agentlens/internal/export"
	"agentlens/internal/ui/inspection"
	"agentlens/internal/ui/kit"
)

// A narrow screen shows the most important facts in full.
func TestNarrowScreens(t *testing.T) {
	d := open(t, 60, 20, withChain(tryChain)).Shows("? help  tab pane  : command")
	d.Press("S").Shows(" stages").Lacks("left7")
	if l := d.Line(" stages"); !strings.Contains(l, "7.3k → ") {
		t.Errorf("the title of the stages: %q", l)
	}
	open(t, 50, 20, withChain(tryChain)).Press("S").Lacks("each works").Shows("7.3k → 766")
	open(t, 80, 24, withChain(tryChain)).Press("S").Shows("applied top to bottom  ")
	open(t, 60, 20, func(c *Config) {
		c.Export = func(context.Context, *export.Document, export.Format, string) (inspection.Exported, error) {
			return inspection.Exported{}, nil
		}
	}).Press("e").Shows(" export to a new file, secrets masked  ")
}

// The timeline names the largest kinds and explains only the signs on the screen.
func TestTimelineLegend(t *testing.T) {
	d := open(t, 120, 36).Press("T", "0").Shows("▎timeline · sent at call 1", "s system 109  u user 24", " ▲ here  ▼ compaction or clearing  ✗ error  ? not recorded").Lacks("a assistant", "i injected", "! prefix")
	d.Press("]", "]", "]", "]").Shows("t tool 5.4k  ")
	d = open(t, 60, 20).Press("T").Shows("▎timeline · call 13  t tool 1.2k", "largest 5.7k at 5 ", "✗ error")
	if l := d.Line("largest"); !strings.Contains(l, "  largest") {
		t.Errorf("the title of the timeline runs together: %q", l)
	}
	open(t, 120, 36, func(c *Config) { c.Thread = "loop-clarify" }).Press("T").Shows(" ▲ here ").Lacks("▼ compaction", "✗ error", "! prefix")
}

// A long note also uses the line of the chain, and is complete.
func TestLongNotes(t *testing.T) {
	d := open(t, 80, 24).Press(":").Type("call 99").Press("enter").Shows("there is no call 99: they go from 1 to 13, and next is the one after the").Shows(" record ").Lacks("as recorded")
	d.Press("j").Shows("as recorded")
	open(t, 60, 20).Press("d", ".", "l").Shows("nothing to unfold").Screen()
	long := strings.Repeat("word ", 60)
	d = open(t, 60, 20)
	d.r.note = kit.Words(long)
	d.Shows("word wor…")
	d.Resize(40, 9).Screen()
}
