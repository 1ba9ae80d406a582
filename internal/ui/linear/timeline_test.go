package linear

import (
	"strings"
	"testing"

	"agentlens/internal/ui/inspection"
)

// The timeline prints a line for each call, 50 at a time.
func TestTimeline(t *testing.T) {
	got := answersWith(t, func(c *inspection.Config) { c.Load = loadDemo }, "timeline", "timeline next", "timeline 99")
	for _, want := range []string{
		"\nlens> call 1: 21.6k tokens, 17% of the window, cache 69%\n",
		"\ncall 2: 23.2k tokens, ",
		", failure\n",
		"\ncall 34: ", "compaction or clearing", "cache break\n",
		"\n3 more calls: timeline 51 prints them\n",
		"\nlens> next: ~31.0k tokens",
		"calls are numbered 1 to 52",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the answers lack %q:\n%s", want, got)
		}
	}
}
