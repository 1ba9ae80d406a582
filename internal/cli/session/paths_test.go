package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPathsFrom(t *testing.T) {
	dir := t.TempDir() + string(filepath.Separator)
	for _, name := range []string{"run.jsonl", "runs/x", ".hidden", "other"} {
		if err := os.MkdirAll(filepath.Dir(dir+name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir+name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for prefix, want := range map[string]string{
		"": "other run.jsonl runs/", "run": "run.jsonl runs/", "runs/": "runs/x", ".h": ".hidden", "x": "", "no/such/": "",
	} {
		got := PathsFrom(dir + prefix)
		for i := range got {
			got[i] = filepath.ToSlash(strings.TrimPrefix(got[i], dir))
		}
		if w := strings.Fields(want); !slices.Equal(got, w) {
			t.Errorf("%q: %v, want %v", prefix, got, w)
		}
	}
}
