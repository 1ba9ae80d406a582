//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// inShell starts the built program from an interactive shell with job control, and returns its process.
func inShell(t *testing.T) (p *terminal, pid int) {
	t.Helper()
	path := os.Getenv("LENS_BINARY")
	if path == "" {
		t.Skip("set LENS_BINARY to the built program to drive it in a pseudo-terminal")
	}
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	if path, err = filepath.Abs(path); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "pid")
	t.Setenv("PS1", "ready> ")
	p = start(t, 140, 40, exec.Command(shell, "--norc", "--noprofile", "-i"))
	p.until("ready>")
	p.press(fmt.Sprintf("sh -c 'echo $$ >%s; exec %s show demo'\r", at, path))
	p.until("full history", "call 52 sent")
	text, err := os.ReadFile(at)
	if err == nil {
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, pid
}

func (p *terminal) waitFor(what string, ok func() bool) {
	p.t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("waited for %s:\n%s", what, p.screen())
		}
	}
}

// leave ends lens and checks that the shell has the terminal.
func (p *terminal) leave(pid int) {
	p.t.Helper()
	p.press("q")
	p.waitFor("the end of lens", func() bool { return syscall.Kill(pid, 0) != nil })
	p.cooked()
}

// cooked checks that the terminal of the shell is in cooked mode.
func (p *terminal) cooked() {
	p.t.Helper()
	p.waitFor("the main screen", func() bool { return !p.emu.IsAltScreen() })
	p.press("clear; stty -a; echo d''one\r")
	p.until(" icanon", " echo ", "done")
}

// TestBinaryStops checks that the shell gets a terminal in cooked mode while lens is stopped, from inside or
// outside, and that lens takes over the screen and the keys again after fg.
func TestBinaryStops(t *testing.T) {
	for _, c := range []struct {
		name string
		stop func(p *terminal, pid int) error
		seen bool // lens sees that it is stopped
	}{
		{"SIGTSTP", func(_ *terminal, pid int) error { return syscall.Kill(pid, syscall.SIGTSTP) }, true},
		{"SIGSTOP", func(_ *terminal, pid int) error { return syscall.Kill(pid, syscall.SIGSTOP) }, false},
		{"ctrl-z", func(p *terminal, _ int) error { p.press("\x1a"); return nil }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, pid := inShell(t)
			for range 2 {
				if err := c.stop(p, pid); err != nil {
					t.Fatal(err)
				}
				p.until("Stopped")
				if c.seen {
					p.cooked()
				}
				p.press("fg\r")
				p.waitFor("the alternate screen", p.emu.IsAltScreen)
				p.until("full history", "call 52 sent")
				p.press("?")
				p.until("j k scroll")
				p.press("\x1b")
				p.until("call 52 sent")
			}
			p.leave(pid)
		})
	}
}

// TestBinaryBackground checks that lens stays stopped when it is continued in the background.
func TestBinaryBackground(t *testing.T) {
	p, pid := inShell(t)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.until("Stopped")
	p.press("bg\r\r")
	p.press("clear; sleep 0.5; jobs\r")
	p.until("Stopped")
	p.press("fg\r")
	p.until("full history", "call 52 sent")
	p.leave(pid)
}

// TestBinaryQuits checks that lens restores the terminal before a signal ends it with a dump of its
// goroutines.
func TestBinaryQuits(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGQUIT, syscall.SIGABRT} {
		p, pid := inShell(t)
		if err := syscall.Kill(pid, sig); err != nil {
			t.Fatal(err)
		}
		p.until("goroutine")
		p.cooked()
	}
}
