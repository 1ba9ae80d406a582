//go:build !unix

package programs

import "os/exec"

// setGroup has nothing to prepare where there are no process groups.
func setGroup(*exec.Cmd) {}

// killGroup ends a program that was started; what it started stays.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
