package demo

import (
	"context"
	"encoding/json"
	"testing"

	"agentlens/internal/trace/ground/source"
)

func TestOpen(t *testing.T) {
	f, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Stem() != Name {
		t.Errorf("the run would be called %q, want %q", f.Stem(), Name)
	}

	kinds := map[string]int{}
	sessions := map[string]bool{}
	err = f.EachLine(context.Background(), 0, 0, func(l source.Line) bool {
		var record struct{ Type, Subtype, SessionID string }
		if err := json.Unmarshal(l.Data, &record); err != nil {
			t.Errorf("line %d: %v", l.Number, err)
		}
		if l.Open {
			t.Errorf("line %d has no newline", l.Number)
		}
		kinds[record.Type+" "+record.Subtype]++
		if record.SessionID != "" {
			sessions[record.SessionID] = true
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(sessions) != 1 {
		t.Errorf("%d session ids, want 1", len(sessions))
	}
	for kind, want := range map[string]int{
		"user ": 81, "assistant ": 115,
		"system compact_boundary": 1, "system microcompact_boundary": 1,
		"system turn_duration": 6, "system api_error": 2,
		"attachment ": 1, "file-history-snapshot ": 7, "queue-operation ": 2,
		"permission-mode ": 1, "ai-title ": 1, "summary ": 1,
	} {
		if kinds[kind] != want {
			t.Errorf("%d records of kind %q, want %d", kinds[kind], kind, want)
		}
		delete(kinds, kind)
	}
	if len(kinds) > 0 {
		t.Errorf("records of other kinds: %v", kinds)
	}
}

// TestOpenTwice checks that each caller gets its own file.
func TestOpenTwice(t *testing.T) {
	first, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	second, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := second.ReadAll(16 << 20)
	if err != nil || int64(len(data)) != second.Size() {
		t.Errorf("read %d of %d bytes after closing another: %v", len(data), second.Size(), err)
	}
}
