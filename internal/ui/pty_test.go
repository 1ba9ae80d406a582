//go:build unix

package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"agentlens/internal/export"
	"agentlens/internal/redact"
	"agentlens/internal/ui/uitest"
)

// terminal is a terminal that answers nothing.
type terminal struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.Write(p)
}

func (t *terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.String()
}

// waitFor waits until the output holds text.
func (t *terminal) waitFor(text string, limit time.Duration) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if strings.Contains(t.String(), text) {
			return true
		}
	}
	return false
}

// childVariable makes the test binary run the inspector instead of the tests.
const childVariable = "LENS_UI_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	gate, err := export.NewGate(redact.Options{Level: redact.Default})
	if err == nil {
		err = Run(context.Background(), Config{Name: "session.jsonl", Gate: gate, Load: load(uitest.Run()), In: os.Stdin, Out: os.Stdout, Theme: "auto"})
	}
	var stopped Stopped
	switch {
	case errors.As(err, &stopped):
		os.Exit(stopped.ExitCode())
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child starts the inspector on a terminal of its own, and waits for its first frame.
func child(t *testing.T, name string, args ...string) (*exec.Cmd, *os.File, *terminal) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), childVariable+"=1", "TERM=xterm-256color", "NO_COLOR=")
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skipf("no terminal to be had here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	screen := &terminal{}
	go func() { _, _ = io.Copy(screen, master) }()
	if !screen.waitFor("run_conv_0002", 20*time.Second) {
		_ = cmd.Process.Kill()
		t.Fatalf("no frame; the terminal got %q", screen.String())
	}
	return cmd, master, screen
}

// ended waits for a program and gives its exit code.
func ended(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill()
		t.Fatal("it goes on")
	}
	return cmd.ProcessState.ExitCode()
}

// stateOf is how a terminal is set.
func stateOf(t *testing.T, f *os.File) *term.State {
	t.Helper()
	state, err := term.GetState(f.Fd())
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// A signal ends the inspector with the code shells expect, and the terminal is as it was.
func TestSignals(t *testing.T) {
	other, fresh, err := pty.Open()
	if err != nil {
		t.Skipf("no terminal to be had here: %v", err)
	}
	defer other.Close()
	defer fresh.Close()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		cmd, master, screen := child(t, os.Args[0])
		if reflect.DeepEqual(stateOf(t, master), stateOf(t, fresh)) {
			t.Fatalf("%v: the terminal is not raw", s)
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if code := ended(t, cmd); code != 128+int(s) {
			t.Errorf("%v: exit code %d", s, code)
		}
		for _, want := range []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?1002l", "\x1b[?2004l"} {
			if !screen.waitFor(want, 5*time.Second) {
				t.Errorf("%v: the terminal never got %q", s, want)
			}
		}
		if !reflect.DeepEqual(stateOf(t, master), stateOf(t, fresh)) {
			t.Errorf("%v: the terminal is still raw", s)
		}
	}
}

// A terminal that goes away ends the inspector, also where the signal of that is ignored.
func TestTerminalGoesAway(t *testing.T) {
	for _, args := range [][]string{{os.Args[0]}, {"sh", "-c", "trap '' HUP; exec \"$0\"", os.Args[0]}} {
		cmd, master, _ := child(t, args[0], args[1:]...)
		master.Close()
		if code := ended(t, cmd); code != 129 {
			t.Errorf("%v: exit code %d", args[0], code)
		}
	}
}

// TestSilentTerminal runs the inspector in a process of its own, on a terminal
// that answers no question: the first frame comes within a second of its start,
// and at the end the terminal is as it was.
func TestSilentTerminal(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"=1", "TERM=xterm-256color", "NO_COLOR=")
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skipf("no terminal to be had here: %v", err)
	}
	defer master.Close()
	term := &terminal{}
	go func() { _, _ = io.Copy(term, master) }()
	if !term.waitFor("run_conv_0002", 20*time.Second) {
		t.Fatalf("no frame; the terminal got %q", term.String())
	}
	// a late answer is no key: the q's in it would quit
	if _, err := master.WriteString("\x1b]11;rgb:qqqq/qqqq\x07?"); err != nil {
		t.Fatal(err)
	}
	if !term.waitFor("one line down", 20*time.Second) {
		t.Fatal("the help did not open")
	}
	if _, err := master.WriteString("qq"); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill()
		t.Fatal("q did not quit")
	}
	for _, want := range []string{"\x1b[?1049l", "\x1b[?25h", syncBegin, syncEnd} {
		if !term.waitFor(want, 20*time.Second) {
			t.Errorf("the terminal never got %q", want)
		}
	}
}

// TestOddTerminals runs the inspector where nobody knows the terminal, and where
// little comes through at a time: it answers keys, and ends when it is told to.
func TestOddTerminals(t *testing.T) {
	for _, c := range []struct {
		name, term string
		chunk      int // bytes read at a time
		wait       time.Duration
	}{
		{"no terminal of that name", "nonsense", 1 << 14, 0},
		{"no name", "", 1 << 14, 0},
		{"slow", "xterm-256color", 1 << 10, 50 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childVariable+"=1", "TERM="+c.term, "NO_COLOR=", "COLORTERM=")
			master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 100})
			if err != nil {
				t.Skipf("no terminal to be had here: %v", err)
			}
			defer master.Close()
			term, done := &terminal{}, make(chan error, 1)
			go func() {
				for buf := make([]byte, c.chunk); ; time.Sleep(c.wait) {
					n, err := master.Read(buf)
					_, _ = term.Write(buf[:n])
					if err != nil {
						return
					}
				}
			}()
			if !term.waitFor("run_conv_0002", 10*time.Second) {
				t.Fatalf("no frame; the terminal got %q", term.String())
			}
			for _, keys := range []string{strings.Repeat("jk", 100), "?"} {
				if _, err := master.WriteString(keys); err != nil {
					t.Fatal(err)
				}
			}
			if !term.waitFor("one line down", 20*time.Second) {
				t.Fatal("the help did not open")
			}
			if _, err := master.WriteString("qq"); err != nil {
				t.Fatal(err)
			}
			go func() { done <- cmd.Wait() }()
			select {
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
			case <-time.After(20 * time.Second):
				_ = cmd.Process.Kill()
				t.Fatal("q did not quit")
			}
		})
	}
}
