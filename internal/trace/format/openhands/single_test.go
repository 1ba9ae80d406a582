package openhands

import (
	"bytes"
	"os"
	"testing"

	"agentlens/internal/trace/ground/chat/chattest"
	"agentlens/internal/trace/ground/source"
)

// TestSingleEvent checks that each event can be opened as a separate file.
func TestSingleEvent(t *testing.T) {
	data, err := os.ReadFile(records + "events.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	messages, read, unknown := 0, 0, 0
	for line := range bytes.Lines(data) {
		f, err := source.FromReader("event-1.json", bytes.NewReader(bytes.TrimSpace(line)))
		if err != nil {
			t.Fatal(err)
		}
		if !Format().Sniff(f) {
			unknown++
			continue
		}
		runs, err := chattest.All(Format(), f)
		if err != nil || len(runs) != 1 {
			t.Fatalf("%.80s: %d runs, %v", line, len(runs), err)
		}
		chattest.Check(t, runs[0])
		messages += runs[0].Counts().Messages
		read += runs[0].Records.Read
	}
	if messages < 4 || read < 9 || unknown != 2 { // the records contain an unknown kind and a truncated line
		t.Errorf("%d messages, %d records, %d unknown", messages, read, unknown)
	}
}
