//go:build unix

package inspector

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	xterm "github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/ui/inspection"
	"agentlens/internal/ui/term"
	"agentlens/internal/ui/uitest"
)

// terminal is a terminal that answers no query.
type terminal struct {
	mu    sync.Mutex
	out   bytes.Buffer
	more  sync.Cond // signals new output and its end
	ended bool
}

// hangGuard is the maximum run time of a program. It ends a program that hangs and is not a test of
// speed.
const hangGuard = 2 * time.Minute

// terminalOf returns a terminal that reads the output of cmd from master. It reads up to chunk
// bytes at a time and pauses after each read.
func terminalOf(t *testing.T, cmd *exec.Cmd, master *os.File, chunk int, pause time.Duration) *terminal {
	tty := &terminal{}
	tty.more.L = &tty.mu
	guard := time.AfterFunc(hangGuard, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() { guard.Stop(); master.Close() })
	go func() {
		for buf := make([]byte, chunk); ; time.Sleep(pause) {
			n, err := master.Read(buf)
			tty.Take(buf[:n], err != nil)
			if err != nil {
				return
			}
		}
	}()
	return tty
}

// Take adds output.
func (t *terminal) Take(p []byte, last bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out.Write(p)
	t.ended = t.ended || last
	t.more.Broadcast()
}

func (t *terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.String()
}

// waitFor waits until the output contains text. It returns false if the output ends first.
func (t *terminal) waitFor(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for !bytes.Contains(t.out.Bytes(), []byte(text)) {
		if t.ended {
			return false
		}
		t.more.Wait()
	}
	return true
}

// childVariable makes the test binary run the inspector instead of the tests.
const childVariable = "LENS_UI_TEST_CHILD"

// Exit codes of the child.
const (
	hungUp  = 41
	stopped = 42
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	gate, err := safe.NewGate(redact.Options{Level: redact.Default})
	if err == nil {
		read := load(uitest.Run())
		if os.Getenv(childVariable) == "fails" {
			read = func(context.Context, source.Options) (*model.Run, error) { panic("out of order") }
		}
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		err = Run(ctx, Config{Config: inspection.Config{Name: "session.jsonl", Gate: gate, Load: read}, In: os.Stdin, Out: os.Stdout, Theme: "auto"})
	}
	switch {
	case errors.Is(err, term.ErrHungUp):
		os.Exit(hungUp)
	case errors.Is(err, context.Canceled):
		os.Exit(stopped)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child starts the inspector on a terminal of its own, and waits for the first frame.
func child(t *testing.T, name string, args ...string) (*exec.Cmd, *os.File, *terminal) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), childVariable+"=1", "TERM=xterm-256color", "NO_COLOR=")
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skipf("no terminal to be had here: %v", err)
	}
	master = pollable(t, master)
	screen := terminalOf(t, cmd, master, 1<<14, 0)
	if !screen.waitFor("triage_plain") {
		_ = cmd.Process.Kill()
		t.Fatalf("no frame; the terminal got %q", screen.String())
	}
	return cmd, master, screen
}

// pollable returns a terminal whose Close ends a Read. One that blocks stays open until the program writes, and it may
// have nothing more to write.
func pollable(t *testing.T, master *os.File) *os.File {
	t.Helper()
	syscall.ForkLock.RLock()
	fd, err := syscall.Dup(int(master.Fd()))
	if err == nil {
		syscall.CloseOnExec(fd)
		err = syscall.SetNonblock(fd, true)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	master.Close()
	return os.NewFile(uintptr(fd), master.Name())
}

// ended waits for a program and returns its exit code.
func ended(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

// stateOf returns the settings of a terminal.
func stateOf(t *testing.T, f *os.File) *xterm.State {
	t.Helper()
	state, err := xterm.GetState(f.Fd())
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// The inspector ends with its context, and restores the terminal.
func TestEndsWithItsContext(t *testing.T) {
	other, fresh, err := pty.Open()
	if err != nil {
		t.Skipf("no terminal to be had here: %v", err)
	}
	defer other.Close()
	defer fresh.Close()
	cmd, master, screen := child(t, os.Args[0])
	if reflect.DeepEqual(stateOf(t, master), stateOf(t, fresh)) {
		t.Fatal("the terminal is not raw")
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := ended(t, cmd); code != stopped {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?1002l", "\x1b[?2004l"} {
		if !screen.waitFor(want) {
			t.Errorf("the terminal never got %q", want)
		}
	}
	if !reflect.DeepEqual(stateOf(t, master), stateOf(t, fresh)) {
		t.Error("the terminal is still raw")
	}
}

// The inspector ends when its terminal goes away, even if it ignores the hangup signal.
func TestTerminalGoesAway(t *testing.T) {
	cmd, master, _ := child(t, "sh", "-c", "trap '' HUP; exec \"$0\"", os.Args[0])
	master.Close()
	if code := ended(t, cmd); code != hungUp {
		t.Errorf("exit code %d", code)
	}
}

// TestSilentTerminal runs the inspector on a terminal that does not answer queries. The first frame
// must appear within a second, and the terminal must be restored at the end.
func TestSilentTerminal(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"=1", "TERM=xterm-256color", "NO_COLOR=")
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skipf("no terminal to be had here: %v", err)
	}
	tty := terminalOf(t, cmd, master, 1<<14, 0)
	if !tty.waitFor("triage_plain") {
		t.Fatalf("no frame; the terminal got %q", tty.String())
	}
	// a late answer is not a key: the q's in it would quit
	if _, err := master.WriteString("\x1b]11;rgb:qqqq/qqqq\x07?"); err != nil {
		t.Fatal(err)
	}
	if !tty.waitFor("a line down, up") {
		t.Fatal("the help did not open")
	}
	if _, err := master.WriteString("qq"); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal("q did not quit: ", err)
	}
	for _, want := range []string{"\x1b[?1049l", "\x1b[?25h", term.SyncBegin, term.SyncEnd} {
		if !tty.waitFor(want) {
			t.Errorf("the terminal never got %q", want)
		}
	}
}

// TestCrashOnATerminal makes the inspector panic. The inspector must restore the terminal before it
// prints the error.
func TestCrashOnATerminal(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"=fails", "TERM=xterm-256color")
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Skipf("no terminal to be had here: %v", err)
	}
	tty := terminalOf(t, cmd, master, 1<<14, 0)
	if !tty.waitFor("lens failed: out of order; the run itself is untouched") {
		t.Fatalf("the fault was not told; the terminal got %q", tty.String())
	}
	if err := cmd.Wait(); err == nil {
		t.Error("it ended as if nothing had been")
	}
	screen, told, _ := strings.Cut(tty.String(), "lens failed")
	for _, want := range []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?1002l"} {
		if !strings.Contains(screen, want) {
			t.Errorf("before the fault was told the terminal never got %q", want)
		}
	}
	if strings.Contains(told, "\x1b[?1049h") {
		t.Error("the screen came back")
	}
}

// TestOddTerminals runs the inspector on unknown and slow terminals. It must respond to keys and
// quit.
func TestOddTerminals(t *testing.T) {
	for _, c := range []struct {
		name, tty string
		chunk     int // bytes read at a time
		wait      time.Duration
	}{
		{"no terminal of that name", "nonsense", 1 << 14, 0},
		{"no name", "", 1 << 14, 0},
		{"slow", "xterm-256color", 1 << 10, 5 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childVariable+"=1", "TERM="+c.tty, "NO_COLOR=", "COLORTERM=")
			master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 30, Cols: 100})
			if err != nil {
				t.Skipf("no terminal to be had here: %v", err)
			}
			tty := terminalOf(t, cmd, master, c.chunk, c.wait)
			if !tty.waitFor("triage_plain") {
				t.Fatalf("no frame; the terminal got %q", tty.String())
			}
			for _, keys := range []string{strings.Repeat("jk", 100), "?"} {
				if _, err := master.WriteString(keys); err != nil {
					t.Fatal(err)
				}
			}
			if !tty.waitFor("a line down, up") {
				t.Fatal("the help did not open")
			}
			if _, err := master.WriteString("qq"); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Fatal("q did not quit: ", err)
			}
		})
	}
}
