package inspector

import (
	"context"
	"encoding/base64"
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
)

// clipboardLimit is the size in bytes of the largest text that is sent to the
// clipboard of the terminal: xterm takes no more, and others cut in silence.
const clipboardLimit = 74_000

// yank copies a text to the clipboard of the terminal. What is revealed on the
// screen is masked in it.
func (r *inspector) yank(what kit.Words, text func() (safe.Safe, error)) tea.Cmd {
	out, env := r.cfg.Out, os.Getenv
	return r.jobs.Start(copyJob, func(context.Context) func() tea.Cmd {
		s, err := text()
		if err == nil && out != nil && len(s.String()) <= clipboardLimit {
			_, err = out.WriteString(clipboardSequence(s.String(), env("TMUX") != ""))
		}
		return func() tea.Cmd { r.takeCopied(what, s, err); return nil }
	})
}

// clipboardSequence is OSC 52; within tmux also wrapped to pass through it.
func clipboardSequence(s string, tmux bool) string {
	seq := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(s)) + "\x07"
	if !tmux {
		return seq
	}
	return seq + "\x1bPtmux;" + strings.ReplaceAll(seq, "\x1b", "\x1b\x1b") + "\x1b\\"
}

// takeCopied notes what was copied, and keeps it for a file.
func (r *inspector) takeCopied(what kit.Words, s safe.Safe, err error) {
	n := len(s.String())
	switch {
	case err != nil:
		r.Fail("nothing was copied: ", err)
		return
	case n > clipboardLimit:
		r.note = what + " is too big for a terminal's clipboard (" + kit.BytesOf(int64(n)) + "): w writes it to a file"
	default:
		r.note = kit.BytesOf(int64(n)) + " of " + what + " went to the clipboard of the terminal; if it did not take them: w writes a file"
	}
	r.yanked, r.yankedWhat = s, what
}

// saveYanked writes what was copied last to a file, because the person asked.
func (r *inspector) saveYanked() tea.Cmd {
	save, text := r.cfg.Save, r.yanked
	return r.jobs.Join(writeJob, func(context.Context) func() tea.Cmd {
		path, err := save(text)
		return func() tea.Cmd { r.takeSaved(path, err); return nil }
	})
}

func (r *inspector) noYanked() kit.Words {
	switch {
	case r.yanked.String() == "":
		return "nothing was copied yet: y copies a message, Y the chain"
	case r.cfg.Save == nil:
		return "there is no place to write it to"
	}
	return ""
}

// takeSaved notes where a text was written.
func (r *inspector) takeSaved(path string, err error) {
	if err != nil {
		r.Fail("not written: ", err)
		return
	}
	r.note, r.noteText = r.yankedWhat+", copied before, written to ", r.cfg.Gate.Line(path)
}

// yankMessage copies the message under the cursor, as the focused side shows it.
func (r *inspector) yankMessage() tea.Cmd {
	w, what, ok := r.wantAtCursor()
	if !ok {
		r.note = "there is no message here to copy"
		return nil
	}
	rd := r.readerOf(r.msgs.Shown.Thread)
	rd.Reveal, rd.Hl = false, nil
	return r.yank(what, func() (safe.Safe, error) { return rd.Gate.Text(kit.PlainText(rd.Blocks(w))), nil })
}
