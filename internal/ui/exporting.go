package ui

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// This file exports the run, or what the call on the screen was sent, to a file that
// the person names.

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

// A parcel is one thing that can be exported.
type parcel struct {
	what words
	stem string // of the file's name that is proposed
	work *export.Document
}

// parcels are the run, and the view on the screen.
func (r *root) parcels() []parcel {
	run := r.scene.run
	stem := fileName(r.cfg.Gate, shortID(run.ID))
	list := []parcel{{"the run", stem, &export.Document{Run: run, Threads: run.Threads}}}
	if s := r.msgs.shown; s != nil && r.noView() == "" {
		what, name := words("call ")+figureWhole(s.call), "-call"+string(figureWhole(s.call))
		if s.call > len(s.thread.Calls) {
			what, name = "the next call", "-next"
		}
		list = append(list, parcel{what, stem + name, &export.Document{Run: run, Threads: []*model.Thread{s.thread}, View: s.view, Strategy: s.chain}})
	}
	return list
}

// askExport asks for the name of the file; its ending is the format.
func (r *root) askExport() {
	parcels := r.parcels()
	formats := export.Formats()
	offer := func(p parcel, f export.Format, path string) choice {
		return choice{safe: r.cfg.Gate.Line(path), help: p.what + ": " + words(f.Help), run: func() tea.Cmd { return r.export(p.work, f, path) }}
	}
	var list []choice
	for _, p := range parcels {
		for _, f := range formats {
			if !f.OfView || p.work.View != nil {
				list = append(list, offer(p, f, p.stem+f.Ending))
			}
		}
	}
	c := newChooser("export to a new file, secrets masked", " to the file ", list)
	c.names = exportCells
	c.typed = func(line string) (meant []choice) {
		path := strings.TrimSpace(line)
		if path == "" {
			return nil
		}
		for _, f := range export.FormatOf(path, true) {
			for _, p := range parcels {
				if !f.OfView || p.work.View != nil {
					meant = append(meant, offer(p, f, path))
				}
			}
		}
		if meant == nil {
			meant = []choice{{safe: r.cfg.Gate.Line(path), why: "end it in " + words(strings.Join(endings(), ", "))}}
		}
		return meant
	}
	r.push(c)
}

// exportCells is the width of the column of file names, in cells.
const exportCells = 34

// endings are those of the formats that every work has.
func endings() []string {
	var list []string
	for _, f := range export.Formats() {
		if !f.OfView {
			list = append(list, f.Ending)
		}
	}
	return list
}

// export writes a work, in a command.
func (r *root) export(work *export.Document, f export.Format, path string) tea.Cmd {
	write, ctx := r.cfg.Export, r.ctx
	r.note = "writing…"
	return safely(func() tea.Msg {
		if !r.writing.begin() {
			return nil
		}
		defer r.writing.done()
		done, err := write(ctx, work, f, path)
		return exportedMsg{done, err}
	})
}

func (msg exportedMsg) arrive(r *root) tea.Cmd {
	if errors.Is(msg.err, fs.ErrExist) {
		r.note, r.noteText = "nothing was written: there is already a file ", r.cfg.Gate.Line(msg.done.Path)
		return nil
	}
	if msg.err != nil {
		r.note, r.noteText = "not written: ", r.cfg.Gate.Line(oneLine(msg.err.Error()))
		return nil
	}
	r.note = plural(msg.done.Masked, "secret") + " masked (level " + words(msg.done.Level) + "), written to "
	if n := len(msg.done.Lost); n > 0 {
		r.note = plural(n, "kind") + " of things not carried over, " + r.note
	}
	r.noteText = r.cfg.Gate.Line(msg.done.Path)
	return nil
}

// nameElements is how many parts of an id that slashes divide are in the name of a file:
// the runs of an evaluation differ in the last but one.
const nameElements = 2

// fileName makes a name for a file of an id: the parts behind its last slashes, of
// letters, digits and what else is harmless. It is "run" where the id holds a
// secret, and where the name could not be told as it is.
func fileName(gate *safe.Gate, id string) string {
	elements := strings.FieldsFunc(filepath.ToSlash(id), func(c rune) bool { return c == '/' })
	elements = slices.DeleteFunc(elements, func(e string) bool { return strings.Trim(e, ".") == "" })
	name := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-_.", c) {
			return c
		}
		return '_'
	}, strings.Join(elements[max(len(elements)-nameElements, 0):], "-"))
	name = strings.TrimLeft(head(name, 60), ".-")
	if name == "" || gate.Line(id).Masked() || gate.Line(name).String() != name {
		return "run"
	}
	return name
}
