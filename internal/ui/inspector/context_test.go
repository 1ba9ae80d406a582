package inspector

import (
	"context"
	"testing"

	"agentlens/internal/demo"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// withDemo opens the built-in run, whose prompts the provider has counted, at its
// 35th call.
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

// TestContextAddsUp holds the size in the header to those of the panes: what is
// none of the messages is named, and a what-if counts it too.
func TestContextAddsUp(t *testing.T) {
	d := open(t, 190, 36, withDemo).Shows("ctx 25.6k/", "4 msgs · ~4.4k", "ctx has ~21.2k beside the messages", "~96% fewer tokens · 80 dropped")
	d.Shows("… 18 of 80 dropped", "left behind by the compaction after message 79")
	d.Press("s").Type("sliding_window(20)").Lacks("beside the messages").Press("enter")
	d.Shows("simulated · 20 msgs · ~53.7k", "ctx ~74.9k/", "ctx has ~21.2k beside the messages")
	open(t, 80, 24, withDemo).Shows("ctx 25.6k/", "~96% fewer tokens").Lacks("beside the mess")
	// a chain is held to what was sent as well as to all there was
	open(t, 160, 36, withDemo, func(c *Config) { c.Call = 33; c.Chain = "sliding_window(20)" }).Shows("~42% fewer tokens than all, ~7% fewer than were sent").
		Press("i").Shows("record says  reconstructed: ~54.4k tokens were sent")
	open(t, 160, 36, withDemo, func(c *Config) { c.Chain = "passthrough" }).Shows("nothing left out, ~23 times what was sent")
}
