//go:build !unix

package cli

import "os/exec"

// together has nothing to prepare where there are no process groups.
func together(*exec.Cmd) {}

// endAll ends a program that was started; what it started stays.
func endAll(cmd *exec.Cmd) error { return cmd.Process.Kill() }
