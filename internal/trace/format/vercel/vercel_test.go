package vercel

import (
	"flag"
	"strings"
	"testing"

	"agentlens/internal/trace/ground/chat/chattest"
	"agentlens/internal/trace/ground/lines/linestest"
	"agentlens/internal/trace/ground/source"
)

var _ = flag.Bool("update", false, "rewrite the golden files")

const records = "../../../../testdata/vercel"

func TestGolden(t *testing.T) { chattest.Golden(t, Format(), records) }

func TestSniff(t *testing.T) { linestest.ClaimsOwnOnly(t, Format(), "vercel") }

func TestTruncated(t *testing.T) { linestest.Truncated(t, Format(), records+"/chat.json") }

func FuzzRead(f *testing.F) { linestest.Fuzz(f, Format(), records) }

// TestToolStates checks for every state of a tool part whether the call is
// answered.
func TestToolStates(t *testing.T) {
	for _, c := range []struct {
		part    string
		results int
		pending bool
		failed  bool
	}{
		{`"type":"tool-f","state":"input-streaming"`, 0, true, false},
		{`"type":"tool-f","state":"input-available"`, 0, true, false},
		{`"type":"tool-f","state":"approval-requested"`, 0, true, false},
		{`"type":"tool-f","state":"approval-responded"`, 0, true, false},
		{`"type":"tool-f","state":"output-available","output":"x"`, 1, false, false},
		{`"type":"tool-f","state":"output-available","output":null`, 1, false, false},
		{`"type":"tool-f","state":"output-error","errorText":"x"`, 1, false, true},
		{`"type":"tool-f","state":"output-denied"`, 1, false, true},
		{`"type":"tool-f","state":"input-available","providerExecuted":true`, 0, false, false},
		{`"type":"dynamic-tool","toolName":"f","state":"novel"`, 0, true, false},
	} {
		f, err := source.FromReader("x.json", strings.NewReader(`[{"id":"m","role":"assistant","parts":[{"toolCallId":"c","input":{},`+c.part+`}]}]`))
		if err != nil {
			t.Fatal(err)
		}
		if !Format().Sniff(f) {
			t.Errorf("%s: sniff rejects it", c.part)
		}
		runs, err := chattest.All(Format(), f)
		if err != nil {
			t.Fatal(err)
		}
		chattest.Check(t, runs[0])
		th := runs[0].Threads[0]
		call := th.At(0).Calls[0]
		if call.Name != "f" || th.Len() != 1+c.results || call.Pending() != c.pending || call.Failed != c.failed {
			t.Errorf("%s: %+v, %d messages", c.part, call, th.Len())
		}
	}
}

// TestSniffToleratesOtherMessages checks that sniff tolerates a few messages of
// another format.
func TestSniffToleratesOtherMessages(t *testing.T) {
	const own = `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"b","toolName":"f","input":{}}]}`
	for _, odd := range []string{`{"role":"tool","tool_call_id":"a","content":"x"}`, `{"content":"no role"}`, `7`, `null`} {
		f, err := source.FromReader("x.json", strings.NewReader(`[`+own+`,`+odd+`,`+own+`]`))
		if err != nil {
			t.Fatal(err)
		}
		if !Format().Sniff(f) {
			t.Errorf("%s hides the file", odd)
		}
	}
}

func TestSniffRejectsOthers(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `{}`, `[{"role":"user","content":"a"}]`, `[{"role":"user","parts":[{"text":"a"}]}]`,
		`[{"role":"user","parts":[{"type":"text","content":"a"}]}]`, `[{"role":"assistant","content":[{"type":"tool_use","id":"a"}]}]`,
		`{"messages":[{"role":"user","parts":[{"type":"text","text":"a"}],"id":"m","sessionId":"s"}]}`,
		`[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"a"}]},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"b"}]}]`,
		`[{"role":"assistant","tool_calls":[]},{"role":"tool","tool_call_id":"a","content":"x"},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a"}]}]`,
	} {
		f, err := source.FromReader("x.json", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if Format().Sniff(f) {
			t.Errorf("%s: sniff claims it", text)
		}
	}
}
