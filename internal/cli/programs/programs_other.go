//go:build !unix

package programs

import "os/exec"

// setGroup does nothing: this system has no process groups.
func setGroup(*exec.Cmd) {}

// killGroup kills a program, but not the processes it started.
func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
