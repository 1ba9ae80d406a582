package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkStart measures whole processes: lens --version, and an empty Go program as the
// control. It builds both.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	empty := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(empty, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	build := func(name, what string) string {
		path := filepath.Join(dir, name)
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, what)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		return path
	}
	control, program := build("empty", empty), build("lens", "agentlens/cmd/lens")
	for _, way := range []struct{ name, path string }{{"empty", control}, {"lens", program}, {"empty-again", control}} {
		b.Run(way.name, func(b *testing.B) {
			for range b.N {
				if err := exec.Command(way.path, "--version").Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
