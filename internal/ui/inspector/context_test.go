package inspector

import (
	"context"
	"testing"

	"agentlens/internal/demo"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// withDemo opens the built-in run at its 35th call. The provider counted its prompts.
func withDemo(c *Config) {
	c.Call, c.Thread = 35, ""
	c.Load = func(ctx context.Context, opt source.Options) (*model.Run, error) {
		f, err := demo.Open()
		if err != nil {
			return nil, err
		}
		src, err := trace.OpenFile(ctx, f)
		if err != nil {
			return nil, err
		}
		return src.Load(ctx, src.Entries[0].ID, opt)
	}
}

// TestContextAddsUp compares the size in the header with those of the panes. Tokens outside the
// messages are named.
func TestContextAddsUp(t *testing.T) {
	d := open(t, 190, 36, withDemo).Shows("ctx 25.6k/", "4 msgs · ~4.3k", "+ ~21.3k system prompt", "~96% fewer tokens · 80 dropped")
	d.Shows("… 18 of 80 dropped", "dropped by the compaction after message 79")
	d.Press("s").Type("sliding_window(20)").Lacks("system prompt and").Press("enter")
	d.Shows("simulated · 20 msgs · ~52.0k", "ctx ~73.3k/", "+ ~21.3k system prompt")
	open(t, 80, 24, withDemo).Shows("ctx 25.6k/", "~96% fewer tokens").Lacks("system prompt")
	// a chain is compared with what was sent and with the full history
	open(t, 160, 36, withDemo, func(c *Config) { c.Call = 33; c.Chain = "sliding_window(20)" }).Shows("~42% fewer tokens than all, ~7% fewer than were sent").
		Press("i").Shows("record says  reconstructed: ~52.7k tokens were sent")
	open(t, 160, 36, withDemo, func(c *Config) { c.Chain = "passthrough" }).Shows("nothing left out, ~23 times what was sent")
}
