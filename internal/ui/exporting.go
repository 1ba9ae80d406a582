package ui

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
)

// This file exports the run to a file that the person names.

// exportedMsg says what was written.
type exportedMsg struct {
	done Exported
	err  error
}

func (r *root) noExport() words {
	switch {
	case r.scene == nil || r.scene.run.Partial:
		return "the run is still being read"
	case r.cfg.Export == nil:
		return "there is no place to export to"
	}
	return ""
}

// askExport asks for the name of the file; its ending is the format.
func (r *root) askExport() {
	stem := fileName(shortID(r.scene.run.ID))
	var list []choice
	for _, f := range export.Formats() {
		list = append(list, r.exportChoice(f, stem+f.Ending))
	}
	c := newChooser("export, secrets masked: a new file, named by you or as here", " to the file ", list)
	c.typed = func(line string) (choice, bool) {
		path := strings.TrimSpace(line)
		if path == "" {
			return choice{}, false
		}
		for _, f := range export.Formats() {
			if strings.HasSuffix(strings.ToLower(path), f.Ending) && len(path) > len(f.Ending) {
				return r.exportChoice(f, path), true
			}
		}
		var endings []string
		for _, f := range export.Formats() {
			endings = append(endings, f.Ending)
		}
		return choice{safe: r.cfg.Gate.Line(path), why: "end it in " + words(strings.Join(endings, ", "))}, true
	}
	r.push(c)
}

func (r *root) exportChoice(f export.Format, path string) choice {
	return choice{safe: r.cfg.Gate.Line(path), help: words(f.Help), run: func() tea.Cmd { return r.export(f, path) }}
}

// export writes the run, in a command.
func (r *root) export(f export.Format, path string) tea.Cmd {
	write, ctx, run := r.cfg.Export, r.ctx, r.scene.run
	r.note = "writing…"
	return safely(func() tea.Msg {
		r.writing.Add(1) // the program waits for it at its end
		defer r.writing.Done()
		done, err := write(ctx, run, f, path)
		return exportedMsg{done, err}
	})
}

func (r *root) takeExported(msg exportedMsg) {
	if errors.Is(msg.err, fs.ErrExist) {
		r.note, r.noteText = "nothing was written: there is already a file ", r.cfg.Gate.Line(msg.done.Path)
		return
	}
	if msg.err != nil {
		r.note, r.noteText = "not written: ", r.cfg.Gate.Line(oneLine(msg.err.Error()))
		return
	}
	r.note = plural(msg.done.Masked, "secret") + " masked (level " + words(msg.done.Level) + "), written to "
	r.noteText = r.cfg.Gate.Line(msg.done.Path)
}

// fileName makes a name for a file of an id: the part behind the last slash, of
// letters, digits and what else is harmless.
func fileName(id string) string {
	name := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-_.", c) {
			return c
		}
		return '_'
	}, filepath.Base(filepath.ToSlash(id)))
	name = strings.TrimLeft(head(name, 60), ".-")
	if name == "" {
		return "run"
	}
	return name
}
