//go:build unix

package programs

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestProgramsEndTogether checks that a program's child processes are killed with the program: after a timeout,
// and when it exits while a child holds its output open.
func TestProgramsEndTogether(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sh is needed")
	}
	for name, tc := range map[string]struct {
		script, want string
		timeout      time.Duration
	}{
		"too long": {"sleep 60 >%s & wait", "longer than", time.Second},
		"left":     {"(sleep 60; exec >&3) 3>%s & exec true", "held its output open", 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			held := filepath.Join(t.TempDir(), "held")
			if err := syscall.Mkfifo(held, 0o600); err != nil {
				t.Skip(err)
			}
			ended := make(chan error, 1)
			go func() { // the pipe ends when no writer is left
				f, err := os.Open(held)
				if err == nil {
					_, err = io.Copy(io.Discard, f)
					f.Close()
				}
				ended <- err
			}()
			r := &Runner{timeout: tc.timeout}
			_, err := r.start(t.Context(), fmt.Sprintf("sh -c '"+tc.script+"'", held), nil)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
			select {
			case err := <-ended:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(10 * time.Second):
				t.Error("what it started goes on")
			}
		})
	}
}
