//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// together has a program start in a process group of its own, so that what it starts
// is ended with it.
func together(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return endAll(cmd) }
}

// endAll ends a program that was started, and what it started.
func endAll(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
