package inspector

import (
	"context"
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
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/chooser"
	"agentlens/internal/ui/view"
)

// This file exports the run, or what the call on the screen was sent, to a file that
// the person names.

func (r *inspector) noExport() kit.Words {
	switch {
	case r.scene == nil || r.scene.Run.Partial:
		return "the run is still being read"
	case r.cfg.Export == nil:
		return "there is no place to export to"
	}
	return ""
}

// A parcel is one thing that can be exported.
type parcel struct {
	what kit.Words
	stem string // of the file's name that is proposed
	work *export.Document
}

// parcels are the run, and the view on the screen.
func (r *inspector) parcels() []parcel {
	run := r.scene.Run
	stem := fileName(r.cfg.Gate, view.ShortID(run.ID))
	list := []parcel{{"the run", stem, &export.Document{Run: run, Threads: run.Threads}}}
	if s := r.msgs.Shown; s != nil && r.noView() == "" {
		what, name := kit.Words("call ")+kit.Int(s.Call), "-call"+string(kit.Int(s.Call))
		if s.Call > len(s.Thread.Calls) {
			what, name = "the next call", "-next"
		}
		list = append(list, parcel{what, stem + name, &export.Document{Run: run, Threads: []*model.Thread{s.Thread}, View: s.View, Strategy: s.Chain}})
	}
	return list
}

// askExport asks for the name of the file; its ending is the format.
func (r *inspector) askExport() {
	parcels := r.parcels()
	formats := export.Formats()
	offer := func(p parcel, f export.Format, path string) chooser.Choice {
		return chooser.Choice{Safe: r.cfg.Gate.Line(path), Help: p.what + ": " + kit.Words(f.Help), Run: func() tea.Cmd { return r.export(p.work, f, path) }}
	}
	var list []chooser.Choice
	for _, p := range parcels {
		for _, f := range formats {
			if !f.OfView || p.work.View != nil {
				list = append(list, offer(p, f, p.stem+f.Ending))
			}
		}
	}
	c := chooser.New("export to a new file, secrets masked", " to the file ", list)
	c.Names = exportCells
	c.Typed = func(line string) (meant []chooser.Choice) {
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
			meant = []chooser.Choice{{Safe: r.cfg.Gate.Line(path), Why: "end it in " + kit.Words(strings.Join(endings(), ", "))}}
		}
		return meant
	}
	r.Push(c)
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
func (r *inspector) export(work *export.Document, f export.Format, path string) tea.Cmd {
	write := r.cfg.Export
	r.note = "writing…"
	return r.jobs.Join(writeJob, func(ctx context.Context) func() tea.Cmd {
		if !r.writing.Begin() {
			return nil
		}
		defer r.writing.done()
		done, err := write(ctx, work, f, path)
		return func() tea.Cmd { r.takeExported(done, err); return nil }
	})
}

// takeExported notes what was written.
func (r *inspector) takeExported(done Exported, err error) {
	if errors.Is(err, fs.ErrExist) {
		r.note, r.noteText = "nothing was written: there is already a file ", r.cfg.Gate.Line(done.Path)
		return
	}
	if err != nil {
		r.Fail("not written: ", err)
		return
	}
	r.note = kit.Plural(done.Masked, "secret") + " masked (level " + kit.Words(done.Level) + "), written to "
	if n := len(done.Lost); n > 0 {
		r.note = kit.Plural(n, "kind") + " of things not carried over, " + r.note
	}
	r.noteText = r.cfg.Gate.Line(done.Path)
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
	name = strings.TrimLeft(kit.CutText(name, 60), ".-")
	if name == "" || gate.Line(id).Masked() || gate.Line(name).String() != name {
		return "run"
	}
	return name
}
