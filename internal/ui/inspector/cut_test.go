package inspector

import (
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/ui/uitest"
)

// TestCutPrompt shows a call with five messages whose recorded prompt is cut after the third.
// The other two and the input of the step are hatched, and nothing counts as dropped.
func TestCutPrompt(t *testing.T) {
	run := uitest.Run()
	for _, th := range run.Threads {
		if th.ID == "loop-clarify" {
			c := &th.Calls[2]
			c.Extend().Sent, c.Extend().Cut = c.Sent()[:3], &model.Cut{From: 3, Rest: "the step's input"}
		}
	}
	d := open(t, 160, 36, func(c *Config) { c.Load, c.Thread, c.Call = load(run), "loop-clarify", 3 }).
		Shows("? 2 messages", "? not recorded: beyond the cut", "╱ not recorded: the step's input", "recorded up to a cut · 2 not recorded").
		Lacks("− ", "fewer tokens")
	d.Press("k", "k", "space")
	if l := d.Line("Question 2"); !strings.Contains(l, "? 4 agent") {
		t.Errorf("a message beyond the cut stands as %q", l)
	}
	d.Press("d").Shows("3 the same ", " tokens · 2 not recorded").Press("esc")
	d.Press("i").Shows("messages 4–5: beyond the cut of the recorded prompt")
}
