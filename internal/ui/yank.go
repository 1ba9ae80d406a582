package ui

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
)

// clipboardLimit is the size in bytes of the largest text that is sent to the
// clipboard of the terminal: xterm takes no more, and others cut in silence.
const clipboardLimit = 74_000

// yankedMsg is a text that was copied.
type yankedMsg struct {
	what words
	text safe.Safe
	err  error
}

// yank copies a text to the clipboard of the terminal. What is revealed on the
// screen is masked in it.
func (r *root) yank(what words, text func() (safe.Safe, error)) tea.Cmd {
	out, env := r.cfg.Out, os.Getenv
	return safely(func() tea.Msg {
		s, err := text()
		if err != nil {
			return yankedMsg{what, s, err}
		}
		if out != nil && len(s.String()) <= clipboardLimit {
			_, err = out.WriteString(clipboardSequence(s.String(), env("TMUX") != ""))
		}
		return yankedMsg{what, s, err}
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

func (msg yankedMsg) arrive(r *root) tea.Cmd {
	n := len(msg.text.String())
	switch {
	case msg.err != nil:
		r.note, r.noteText = "nothing was copied: ", r.cfg.Gate.Line(oneLine(msg.err.Error()))
		return nil
	case n > clipboardLimit:
		r.note = msg.what + " is too big for a terminal's clipboard (" + bytesOf(int64(n)) + "): w writes it to a file"
	default:
		r.note = bytesOf(int64(n)) + " of " + msg.what + " went to the clipboard of the terminal; if it did not take them: w writes a file"
	}
	r.yanked, r.yankedWhat = msg.text, msg.what
	return nil
}

// savedMsg says where a text was written.
type savedMsg struct {
	path string
	err  error
}

// saveYanked writes what was copied last to a file, because the person asked.
func (r *root) saveYanked() tea.Cmd {
	save, text := r.cfg.Save, r.yanked
	return safely(func() tea.Msg {
		path, err := save(text)
		return savedMsg{path, err}
	})
}

func (r *root) noYanked() words {
	switch {
	case r.yanked.String() == "":
		return "nothing was copied yet: y copies a message, Y the chain"
	case r.cfg.Save == nil:
		return "there is no place to write it to"
	}
	return ""
}

func (msg savedMsg) arrive(r *root) tea.Cmd {
	if msg.err != nil {
		r.note, r.noteText = "not written: ", r.cfg.Gate.Line(oneLine(msg.err.Error()))
		return nil
	}
	r.note, r.noteText = r.yankedWhat+", copied before, written to ", r.cfg.Gate.Line(msg.path)
	return nil
}

// yankMessage copies the message under the cursor, as the focused side shows it.
func (r *root) yankMessage() tea.Cmd {
	w, what, ok := r.wantAtCursor()
	if !ok {
		r.note = "there is no message here to copy"
		return nil
	}
	rd := r.readerOf(r.msgs.shown.thread)
	rd.reveal, rd.hl = false, nil
	return r.yank(what, func() (safe.Safe, error) { return rd.gate.Text(textOf(rd.blocks(w))), nil })
}

// textOf joins blocks to one text.
func textOf(blocks []block) string {
	var parts []string
	for i := range blocks {
		b := &blocks[i]
		name := strings.TrimSpace(fmt.Sprint(b.name.String(), " ", b.note))
		switch b.kind {
		case callBlock:
			parts = append(parts, "→ "+name)
		case attachmentBlock, sealedBlock:
			parts = append(parts, "["+name+"]")
		}
		if s := b.text.String(); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "\n")
}
