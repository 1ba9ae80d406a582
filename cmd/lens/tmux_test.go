package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pane runs the built binary in a pane of its own tmux server. tmux measures widths,
// scrolls and answers queries differently from the emulator.
type pane struct {
	t      *testing.T
	socket string
}

// inTmux starts the program that LENS_BINARY names.
func inTmux(t *testing.T, w, h int, args ...string) *pane {
	t.Helper()
	path := os.Getenv("LENS_BINARY")
	if path == "" {
		t.Skip("set LENS_BINARY to the built program to drive it in tmux")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	p := &pane{t, filepath.Join(t.TempDir(), "tmux")}
	line := []string{"env", "TERM=tmux-256color", "COLORTERM=truecolor", path}
	p.tmux(append([]string{"-f", os.DevNull, "new-session", "-d", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h)}, append(line, args...)...)...)
	t.Cleanup(func() { exec.Command("tmux", "-S", p.socket, "kill-server").Run() })
	return p
}

// tmux runs a tmux command and returns its output.
func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-u", "-S", p.socket}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return string(out)
}

func (p *pane) press(keys ...string) { p.tmux(append([]string{"send-keys"}, keys...)...) }

// until waits until ok accepts the screen.
func (p *pane) until(what string, ok func(lines []string) bool) {
	p.t.Helper()
	var screen string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		screen = p.tmux("capture-pane", "-p")
		if ok(strings.Split(strings.TrimRight(screen, "\n"), "\n")) {
			return
		}
	}
	p.t.Fatalf("%s is not on the screen:\n%s", what, screen)
}

func (p *pane) shows(text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("%q", text), func(lines []string) bool { return strings.Contains(strings.Join(lines, "\n"), text) })
}

// framed waits until every row of the panes ends in the column of the corner above it. A torn or stale row would
// end elsewhere.
func (p *pane) framed(w, h int) {
	p.t.Helper()
	p.until(fmt.Sprintf("a whole frame of %d by %d", w, h), func(lines []string) bool {
		rows := 0
		for _, line := range lines {
			cells := []rune(line)
			if len(cells) == 0 || !strings.ContainsRune("╭│╰", cells[0]) {
				continue
			}
			if last := cells[len(cells)-1]; !strings.ContainsRune("╮│╯", last) || len(cells) != w {
				return false
			}
			rows++
		}
		return rows > h/2 && len(lines) == h
	})
}

// TestBinaryInTmux opens the built-in run in tmux, moves, resizes and quits.
func TestBinaryInTmux(t *testing.T) {
	p := inTmux(t, 120, 36, "show", "demo")
	p.shows("provider saw")
	p.framed(120, 36)
	p.press("E")
	p.shows("error 1 of ")
	p.press("G")
	p.press("]", "]", "]", "[")
	p.shows("37/52")
	p.framed(120, 36)
	for _, size := range [][2]int{{80, 24}, {200, 60}, {60, 20}, {120, 36}} {
		p.tmux("resize-window", "-x", fmt.Sprint(size[0]), "-y", fmt.Sprint(size[1]))
		p.framed(size[0], size[1])
	}
	p.press("s", "sliding_window(5)", "Enter")
	p.shows("simulated")
	p.press("C")
	p.shows("now sliding_window(5)")
	p.press("Escape")
	p.shows("full history")
	p.framed(120, 36)
	if strings.Contains(p.tmux("capture-pane", "-p"), "sk-ant-") {
		t.Error("a secret is on the screen")
	}
	p.press("q")
	for end := time.Now().Add(20 * time.Second); exec.Command("tmux", "-S", p.socket, "has-session").Run() == nil; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("q does not quit")
		}
	}
}
