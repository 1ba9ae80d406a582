package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

const (
	quiet   = 500 * time.Millisecond // a screen that did not change for so long is done
	timeout = 30 * time.Second
)

// record runs lens on the record of a shot, presses the keys of a shot and returns the screen.
func record(program, home, records string, s shot, theme string) (*vt.SafeEmulator, error) {
	args := []string{"show", "demo", "--call", "35", "--window", "200k", "--theme", theme}
	if s.file != "" {
		args = []string{"show", filepath.Join(records, s.file), "--theme", theme}
		if s.call > 0 {
			args = append(args, "--call", strconv.Itoa(s.call))
		}
	}
	if s.chain != "" {
		args = append(args, "--strategy", s.chain)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "TERM=xterm-256color", "COLORTERM=truecolor")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: height, Cols: width})
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = cmd.Process.Kill()
		tty.Close()
		_ = cmd.Wait()
	}()
	screen := vt.NewSafeEmulator(width, height)
	go io.Copy(screen, tty) // both end when the program does
	go io.Copy(tty, screen)
	if err := settle(screen); err != nil {
		return nil, err
	}
	for _, key := range s.keys {
		if _, err := tty.WriteString(key); err != nil {
			return nil, err
		}
		if err := settle(screen); err != nil {
			return nil, err
		}
	}
	return screen, nil
}

// settle waits until the screen shows something and no longer changes.
func settle(screen *vt.SafeEmulator) error {
	empty := vt.NewEmulator(width, height).Render()
	last, since := "", time.Now()
	for begin := since; time.Since(begin) < timeout; time.Sleep(20 * time.Millisecond) {
		if now := screen.Render(); now != last {
			last, since = now, time.Now()
		} else if now != empty && time.Since(since) > quiet {
			return nil
		}
	}
	return errors.New("the screen does not come to rest")
}
