package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentlens/internal/trace"
	"agentlens/internal/trace/source"
)

// A followed source that goes away and comes again is told of both times.
func TestFollowedFileGoesAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.jsonl")
	write := func() {
		if err := os.WriteFile(path, []byte(`{"messages":[{"role":"user","content":"hello"}]}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write()
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	src, err := trace.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	f := &follower{app: &app{}, path: path, id: src.Entries[0].ID, src: src}
	if _, err := f.load(ctx, source.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if !f.changed(ctx) {
		t.Fatal("that it is gone is not told")
	}
	if _, err := f.load(ctx, source.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("gone: %v", err)
	}
	write()
	if !f.changed(ctx) {
		t.Fatal("that it is there again is not told")
	}
	if _, err := f.load(ctx, source.Options{}); err != nil {
		t.Fatal(err)
	}
	if (&follower{path: filepath.Join(t.TempDir(), "none")}).changed(ctx) {
		t.Error("what never was on disk changes")
	}
}
