package openaichat

import (
	"strings"
	"testing"

	"agentlens/internal/jsontext"
	"agentlens/internal/trace/ground/chat/chattest"
)

const (
	chunkA = `{"id":"a","choices":[{"index":0,"delta":{"role":"assistant","content":"one"},"finish_reason":null}]}`
	chunkB = `{"id":"a","choices":[{"index":0,"delta":{"content":" two"},"finish_reason":"stop"}]}`
	other  = `{"id":"b","choices":[{"index":0,"delta":{"content":"three"},"finish_reason":"stop"}]}`
)

func TestStreams(t *testing.T) {
	for _, c := range []struct {
		name, data string
		texts      string // texts of all replies
		torn       bool
	}{
		{"events", "data: " + chunkA + "\n\ndata: " + chunkB + "\n\ndata: [DONE]\n\n", "one two", false},
		{"named events, CRLF", "event: message\r\ndata: " + chunkA + "\r\n\r\n: ping\r\n\r\ndata: " + chunkB + "\r\n", "one two", false},
		{"no blank lines", "data: " + chunkA + "\ndata: " + chunkB + "\n", "one two", false},
		{"lines", chunkA + "\n" + chunkB + "\n" + other + "\n", "one two|three", false},
		{"one chunk", other, "three", false},
		{"a list", "[" + chunkA + "," + chunkB + "]", "one two", false},
		{"no end event", "data: " + chunkA + "\n\n", "one", true},
		{"cut", "data: " + chunkA + "\n\ndata: " + chunkB[:40], "one", true},
		{"two without ids", strings.ReplaceAll("data: "+chunkA+"\n\ndata: "+chunkB+"\n\ndata: [DONE]\n\ndata: "+other+"\n\ndata: [DONE]\n", `"id":`, `"no":`), "one two|three", false},
		{"several choices", `{"id":"a","choices":[{"index":1,"delta":{"content":"x"}},{"index":0,"delta":{"content":"y"},"finish_reason":"stop"}]}`, "y", false},
		{"first chunk without choices", `{"id":"","object":"chat.completion.chunk","choices":[]}` + "\n" + chunkB, " two", false},
		{"next to the request", `{"messages":[{"role":"user","content":"q"}],"chunks":[` + chunkA + "," + chunkB + `]}`, "q|one two", false},
	} {
		f := file(t, c.data)
		if !Format().Sniff(f) {
			t.Errorf("%s: sniff rejects it", c.name)
		}
		runs, err := chattest.All(Format(), f)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var texts []string
		torn := false
		for _, run := range runs {
			chattest.Check(t, run)
			torn = torn || run.Records.Torn > 0
			for i := range run.Threads[0].Len() {
				text, _ := run.Text(run.Threads[0].At(i))
				texts = append(texts, text)
			}
		}
		if got := strings.Join(texts, "|"); got != c.texts || torn != c.torn {
			t.Errorf("%s: %q, torn %v; want %q, %v", c.name, got, torn, c.texts, c.torn)
		}
	}
}

// TestTooDeep checks that a value nested too deeply is dropped and the rest is
// kept.
func TestTooDeep(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	const one = `{"role":"user","content":"one"}`
	for name, data := range map[string]string{
		"in a message":        `[` + one + `,{"role":"assistant","content":` + deep + `},` + one + `]`,
		"in a document":       `{"messages":[` + one + `,{"role":"assistant","content":` + deep + `},` + one + `]}`,
		"before the messages": `{"meta":` + deep + `,"messages":[` + one + `,{"role":"assistant","content":"` + jsontext.TooDeep + `"},` + one + `]}`,
		"beyond the head":     `{"meta":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + `,"messages":[` + one + `,{"role":"assistant","content":"` + jsontext.TooDeep + `"},` + one + `]}`,
		"in a line":           one + "\n" + `{"role":"assistant","content":` + deep + `}` + "\n" + one,
	} {
		f := file(t, data)
		if !Format().Sniff(f) {
			t.Errorf("%s: sniff rejects it", name)
		}
		runs, err := chattest.All(Format(), f)
		if err != nil || len(runs) != 1 {
			t.Errorf("%s: %d runs, %v", name, len(runs), err)
			continue
		}
		run := runs[0]
		chattest.Check(t, run)
		th := run.Threads[0]
		if th.Len() != 3 || len(run.Warnings) != 1 || run.Warnings[0].Code.String() != "limit" {
			t.Errorf("%s: %d messages, %d warnings", name, th.Len(), len(run.Warnings))
			continue
		}
		if text, _ := run.Text(th.At(1)); !strings.HasPrefix(text, jsontext.TooDeep) {
			t.Errorf("%s: middle message is %.40q", name, text)
		}
	}
}
