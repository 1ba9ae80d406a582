package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	path := filepath.Join(dir, "file")
	for _, c := range []struct {
		write func() error
		want  string
		mode  os.FileMode
	}{
		{func() error { return Write(path, []byte("first"), 0o644) }, "first", 0o644},
		{func() error { return Write(path, []byte("2"), 0o600) }, "2", 0o600},
		{func() error { return WriteCache(path, []byte("third")) }, "third", 0o600},
	} {
		if err := c.write(); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		info, statErr := os.Stat(path)
		if err != nil || statErr != nil || string(got) != c.want || runtime.GOOS != "windows" && info.Mode() != c.mode {
			t.Errorf("%q, %v, %v, want %q and mode %o", got, err, info, c.want, c.mode)
		}
	}
	if err := Write(dir, nil, 0o600); err == nil {
		t.Error("a folder was replaced")
	}
	for _, folder := range []string{dir, filepath.Dir(dir)} {
		if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
			t.Errorf("%s has %v, %v: a temporary file is left", folder, list, err)
		}
	}
}
