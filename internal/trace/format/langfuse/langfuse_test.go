package langfuse

import (
	"flag"
	"fmt"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace/ground/chat/chattest"
	"agentlens/internal/trace/ground/lines/linestest"
	"agentlens/internal/trace/ground/members"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

const records = "../../../../testdata/langfuse"

func TestGolden(t *testing.T) { chattest.Golden(t, Format(), records) }

func TestSamples(t *testing.T) { linestest.Samples(t, Format(), "langfuse", 1) }

func TestSniff(t *testing.T) { linestest.ClaimsOwnOnly(t, Format(), "langfuse") }

func TestTruncated(t *testing.T) { linestest.Truncated(t, Format(), records+"/trace.json") }

func FuzzRead(f *testing.F) { linestest.Fuzz(f, Format(), records) }

// TestUsage checks that the total decides whether the input includes cached tokens.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		observation                    string
		input, output, read, reasoning int64
		known                          model.UsageField
	}{
		{`{"usageDetails":{"input":20,"output":12,"cache_read_input_tokens":50,"total":82}}`, 20, 12, 50, 0, model.UsageInput | model.UsageOutput | model.UsageCacheRead},
		{`{"usageDetails":{"input":90,"output":3,"input_cached_tokens":70,"total":93}}`, 20, 3, 70, 0, model.UsageInput | model.UsageOutput | model.UsageCacheRead},
		{`{"usageDetails":{"input":9,"output":3,"output_reasoning_tokens":2,"total":14}}`, 9, 5, 0, 2, model.UsageInput | model.UsageOutput | model.UsageReasoning},
		{`{"usage":{"promptTokens":4,"completionTokens":2}}`, 4, 2, 0, 0, model.UsageInput | model.UsageOutput},
		{`{"usageDetails":{},"inputUsage":0,"outputUsage":0,"totalUsage":0,"totalCost":0}`, 0, 0, 0, 0, 0},
		{`{"usageDetails":{},"inputUsage":7,"outputUsage":0}`, 7, 0, 0, 0, model.UsageInput | model.UsageOutput},
		{`{"usageDetails":"x"}`, 0, 0, 0, 0, 0},
	} {
		u := usage(members.Parse([]byte(c.observation)))
		if u.Input != c.input || u.Output != c.output || u.CacheRead != c.read || u.Reasoning != c.reasoning || u.Known != c.known {
			t.Errorf("%s: %+v", c.observation, u)
		}
	}
}

// TestGenuineConversation checks the messages of a genuine file. Its tool calls
// have no ids; their arguments distinguish them.
func TestGenuineConversation(t *testing.T) {
	run := chattest.Load(t, Format(), chattest.Samples(t, "langfuse/claude-agent-2025-12-22.trace.json"))[0]
	if len(run.Threads) != 1 {
		t.Fatalf("%d threads", len(run.Threads))
	}
	th := run.Threads[0]
	got := ""
	for i := range th.Len() {
		text, _ := run.Text(th.At(i))
		got += fmt.Sprintf("%s %.20s; ", th.At(i).Role, text)
	}
	want := "user What's the weather l; assistant I'll check the weath; assistant ; assistant ; tool Weather in Berlin: C; tool Weather in New York:; assistant Great! Here's the cu; "
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if n := run.Counts(); n.Pending != 0 || n.ToolCalls != 2 {
		t.Errorf("%+v", n)
	}
	if th.Calls[0].Basis != model.Recorded || th.Calls[1].Basis != model.NotRecorded {
		t.Errorf("calls %s, %s", th.Calls[0].Basis, th.Calls[1].Basis)
	}
}
