package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/trace"
)

// TestFolderOfManyRuns checks that opening a folder of many runs is ambiguous and leaves no
// file open.
func TestFolderOfManyRuns(t *testing.T) {
	dir := t.TempDir()
	for i := range 1234 {
		path := filepath.Join(dir, fmt.Sprintf("chat-%04d.json", i))
		if err := os.WriteFile(path, []byte(`[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := New(strings.NewReader(""), io.Discard, io.Discard)
	defer a.Close()
	var several *trace.AmbiguousError
	if _, _, err := a.Open(context.Background(), dir); !errors.As(err, &several) || len(several.Matches) != 20 || several.More != 1214 {
		t.Errorf("%v", err)
	}
	if len(a.opened) > 1 {
		t.Errorf("%d files are open", len(a.opened))
	}
	if src, id, err := a.Open(context.Background(), dir+"#chat-0007"); err != nil || id != "chat-0007" || filepath.Base(src.Path()) != "chat-0007.json" {
		t.Errorf("one of them by its id: %s, %v", id, err)
	}
}

// TestThreadByName checks that a unique prefix of an id or a title selects a thread, and
// that an ambiguous one lists only the matches.
func TestThreadByName(t *testing.T) {
	run := &model.Run{ID: "r"}
	for _, name := range [][2]string{{"main-1", "Find"}, {"main-12", "Fix"}, {"agent-7", "Tests"}} {
		th := model.NewThread(name[0], "main").Build()
		th.Title = name[1]
		run.Threads = append(run.Threads, th)
	}
	a := New(strings.NewReader(""), io.Discard, io.Discard)
	for name, want := range map[string]string{"main-1": "main-1", "a": "agent-7", "fix": "main-12"} {
		if th, err := a.Thread(run, name); err != nil || th.ID != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"main": `several threads begin with "main": main-1, main-12`, "f": `several threads begin with "f": main-1, main-12`,
		"x": `no thread "x"; the run has main-1, main-12, agent-7`,
	} {
		if _, err := a.Thread(run, name); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
