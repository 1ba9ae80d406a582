package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
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

// framed waits until a rule across the whole screen heads the panes and every row below it has a border in the
// columns where the rule has a joint. A torn or stale row has borders elsewhere.
func (p *pane) framed(w, h int) {
	p.t.Helper()
	p.until(fmt.Sprintf("a whole frame of %d by %d", w, h), func(lines []string) bool {
		top := slices.IndexFunc(lines, isRule)
		if top < 0 || len(lines) != h || utf8.RuneCountInString(lines[top]) != w {
			return false
		}
		rows := 0
		for _, line := range lines[top+1:] {
			if isRule(line) || strings.HasPrefix(line, " strategy") || strings.HasPrefix(line, " timeline") {
				break
			}
			if !bordered([]rune(lines[top]), []rune(line)) {
				return false
			}
			rows++
		}
		return rows >= h/4
	})
}

// isRule reports whether a line of the screen is the heading of a pane.
func isRule(line string) bool {
	return strings.HasPrefix(line, "─ ") && strings.HasSuffix(line, "─")
}

// bordered reports whether a row has a border in each column where the rule has a joint.
func bordered(rule, row []rune) bool {
	for i, r := range rule {
		if r == '┬' && (i >= len(row) || row[i] != '│') {
			return false
		}
	}
	return true
}

// TestBinaryInTmux opens the built-in run in tmux, moves, resizes and quits.
func TestBinaryInTmux(t *testing.T) {
	p := inTmux(t, 120, 36, "show", "demo")
	p.shows("call 52 sent")
	p.framed(120, 36)
	p.press("E")
	p.shows("error 1 of ")
	p.press("G")
	p.press("]", "]", "]", "[")
	p.shows("call ◀ ")
	p.framed(120, 36)
	for _, size := range [][2]int{{80, 24}, {200, 60}, {60, 20}, {120, 36}} {
		p.tmux("resize-window", "-x", fmt.Sprint(size[0]), "-y", fmt.Sprint(size[1]))
		p.framed(size[0], size[1])
	}
	p.press("s", "sliding_window(5)", "Enter")
	p.shows("would be sent")
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
