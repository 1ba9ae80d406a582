package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"agentlens/internal/trace"
)

// A folder of many runs says how many there are, and keeps none of them open.
func TestFolderOfManyRuns(t *testing.T) {
	dir := t.TempDir()
	for i := range 1234 {
		writeAs(t, filepath.Join(dir, fmt.Sprintf("chat-%04d.json", i)), []map[string]string{{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}})
	}
	var out, errOut strings.Builder
	if code := run(context.Background(), []string{"show", dir}, strings.NewReader(""), &out, &errOut); code != exitUsage {
		t.Errorf("exit %d, %s", code, errOut.String())
	}
	if first, _, _ := strings.Cut(errOut.String(), "\n"); !strings.HasSuffix(first, "holds 1234 runs (20 of 1,234 shown); name one:") {
		t.Error(first)
	}
	a := &app{in: strings.NewReader(""), out: &output{Writer: &out}, err: &errOut}
	defer a.close()
	var several *trace.AmbiguousError
	if _, _, err := a.open(context.Background(), dir); !errors.As(err, &several) || len(several.Matches) != 20 || several.More != 1214 {
		t.Errorf("%v", err)
	}
	if len(a.opened) > 1 {
		t.Errorf("%d files are open", len(a.opened))
	}
	if src, id, err := a.open(context.Background(), dir+"#chat-0007"); err != nil || id != "chat-0007" || filepath.Base(src.Path()) != "chat-0007.json" {
		t.Errorf("one of them by its id: %s, %v", id, err)
	}
}
