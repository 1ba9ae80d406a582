package output

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentlens/internal/cli/session"
	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// A store keeps numbers in memory.
type store map[string][]int32

func (store) Load(*model.Run, *model.Thread, string) (tokens, runes []int32, ok bool) {
	return nil, nil, false
}

func (store) Save(*model.Run, *model.Thread, string, []int32, []int32) {}

func (s store) LoadNumbers(_ *model.Run, _ *model.Thread, what string) (numbers []int32, ok bool) {
	numbers, ok = s[what]
	return slices.Clone(numbers), ok
}

func (s store) SaveNumbers(_ *model.Run, _ *model.Thread, what string, numbers []int32) {
	s[what] = slices.Clone(numbers)
}

// TestPreviewsAgain checks that previews of messages that were searched before are the same, and that a message with a
// secret or with another text is searched again.
func TestPreviewsAgain(t *testing.T) {
	secret := "hunter2x!Q9zz"
	r := &session.Replay{Run: conversation(t,
		"begin", "short", strings.Repeat("two words\n", 900), strings.Repeat("x ", 300)+"password="+secret+strings.Repeat(" y", 9000),
		"it is "+secret+" again", strings.Repeat("more ", 3000), "password="+secret)}
	r.Thread = r.Run.Threads[0]
	kept := store{}
	r.Run.Kept = kept
	all := func(level redact.Level) (list []string) {
		g, err := safe.NewGate(redact.Options{Level: level})
		if err != nil {
			t.Fatal(err)
		}
		p := previewsOf(g, r)
		for i := range r.Thread.Len() {
			text, err := p.of(&model.Entry{Index: int32(i)})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, text)
		}
		p.save()
		return list
	}
	first := all(redact.Default)
	if text := strings.Join(first, "\n"); strings.Contains(text, "hunter") || strings.Count(text, "[REDACTED:") != 2 {
		t.Fatalf("got\n%s", text)
	}
	numbers := slices.Concat(slices.Collect(maps.Values(kept))...)
	for i, want := range []bool{true, true, true, false, false, true, false} {
		if got := numbers[i] != 0; got != want {
			t.Errorf("message %d: clear %v, want %v", i, got, want)
		}
	}
	if again := all(redact.Default); !slices.Equal(again, first) {
		t.Errorf("got\n%q, want\n%q", again, first)
	}
	for what := range kept {
		kept[what] = []int32{1, 1, 1, 1, 1, 1, 1} // of other texts
	}
	if again := all(redact.Default); !slices.Equal(again, first) {
		t.Errorf("of changed texts: got\n%q, want\n%q", again, first)
	}
	if all(redact.Strict); len(kept) != 2 {
		t.Errorf("%d lists of numbers for two levels", len(kept))
	}
	if all(redact.Off); len(kept) != 2 {
		t.Error("numbers without a search")
	}
}

// conversation returns a run with one thread of the given messages.
func conversation(t *testing.T, texts ...string) *model.Run {
	t.Helper()
	var b strings.Builder
	parent := "null"
	for i, text := range texts {
		role := [...]string{"user", "assistant"}[i%2]
		fmt.Fprintf(&b, `{"type":%q,"uuid":"m%d","parentUuid":%s,"sessionId":"s","version":"2.1.0","message":{"id":"r%d","role":%q,"content":[{"type":"text","text":%q}]}}`+"\n", role, i, parent, i, role, text)
		parent = fmt.Sprintf(`"m%d"`, i)
	}
	path := filepath.Join(t.TempDir(), "chat.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := trace.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	run, err := src.Load(context.Background(), src.Entries[0].ID, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return run
}
