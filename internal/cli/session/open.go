package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/progress"
	"agentlens/internal/demo"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// Open opens the source that name identifies: a path, source#id, an id or its prefix, "latest", "demo", or "-".
// The returned id selects a run of the source; it is "" if name does not select one.
func (s *Session) Open(ctx context.Context, name string) (src *trace.Source, id string, err error) {
	path, id := trace.SplitName(name)
	switch path {
	case "":
		return nil, "", failure.Usage(emptyName)
	case "demo":
		f, err := demo.Open()
		if err != nil {
			return nil, "", err
		}
		src, err = trace.OpenFile(ctx, f)
		return s.keep(src, id, err)
	case "-", stdinName:
		src, err := s.standardInput(ctx)
		return src, id, err
	}
	if _, statErr := os.Stat(path); statErr == nil {
		src, err = trace.Open(ctx, path)
		if errors.Is(err, trace.ErrDirectory) {
			return s.openFolder(ctx, path, id)
		}
		return s.keep(src, id, err)
	}
	if strings.ContainsRune(name, filepath.Separator) {
		src, err = trace.Open(ctx, path) // returns its error
		return s.keep(src, id, err)
	}
	finder := trace.Finder{Env: os.Getenv}
	return s.openByID(ctx, name, finder.Machine(ctx))
}

// openFolder opens the only source in a folder, or the source that contains the run id.
func (s *Session) openFolder(ctx context.Context, path, id string) (*trace.Source, string, error) {
	if id == "" {
		id = "*"
	}
	src, id, err := s.openByID(ctx, id, (&trace.Finder{Env: os.Getenv}).Below(ctx, path))
	var none *source.UnreadableError
	if errors.As(err, &none) && none.Path == "" {
		return nil, "", &source.UnreadableError{Path: path, Err: errors.New(noRunInFolder)}
	}
	var several *trace.AmbiguousError
	if errors.As(err, &several) {
		several.Source = path
	}
	return src, id, err
}

// openByID searches files for a run by id or unique prefix. "latest" selects the newest run, "*" any run. If there
// are many files, openByID opens only session files whose names begin with the id.
func (s *Session) openByID(ctx context.Context, id string, files []trace.Found) (*trace.Source, string, error) {
	var only *trace.Source // source of the first hit
	var hits []source.Entry
	for _, f := range files {
		if ctx.Err() != nil {
			return nil, "", ctx.Err()
		}
		if id != "*" && id != "latest" && filepath.Ext(f.Path) == ".jsonl" && len(files) > 50 && !strings.HasPrefix(source.Stem(f.Path), id) {
			continue // a session file is named after its session
		}
		src, err := trace.Open(ctx, f.Path)
		if err != nil {
			continue
		}
		s.opened = append(s.opened, src)
		for _, e := range src.Entries {
			switch {
			case id == "latest":
				if newest, err := src.Pick("latest"); err == nil {
					return src, newest.ID, nil
				}
			case e.ID == id:
				return src, id, nil
			case id == "*" || strings.HasPrefix(e.ID, id):
				if len(hits) == 0 {
					only = src
				}
				hits = append(hits, e)
				hits[len(hits)-1].ID = src.Path() + "#" + e.ID
			}
		}
		if src != only { // there may be more files than the process can open
			s.opened = s.opened[:len(s.opened)-1]
			src.Close()
		}
	}
	switch len(hits) {
	case 0:
		return nil, "", &source.UnreadableError{Path: strings.TrimSuffix(id, "*"), Err: errors.New(noSuchRun)}
	case 1:
		return only, strings.TrimPrefix(hits[0].ID, only.Path()+"#"), nil
	}
	shown := min(len(hits), 20)
	err := &trace.AmbiguousError{Source: "this machine", Folder: true, Matches: hits[:shown], More: len(hits) - shown}
	if id != "*" {
		err.Name = id
	}
	return nil, "", err
}

// Load opens and reads the run that name identifies.
func (s *Session) Load(ctx context.Context, name string) (*model.Run, error) {
	src, id, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	entry, err := src.Pick(id)
	if err != nil {
		return nil, err
	}
	return s.Read(ctx, src, entry.ID)
}

// Read reads a run from an open source. It shows progress and prints the run's warnings.
func (s *Session) Read(ctx context.Context, src *trace.Source, id string) (*model.Run, error) {
	p := progress.New(s.Err, src.Size())
	run, err := src.Load(ctx, id, source.Options{Progress: p.Set})
	p.End()
	if err != nil {
		return nil, err
	}
	s.warn(run)
	return run, nil
}

// warn prints a run's warnings. If any record was lost, it also prints how many records were read and lost.
func (s *Session) warn(run *model.Run) {
	for _, w := range run.Warnings {
		where := ""
		if w.Where != "" {
			where = " (" + w.Where + ")"
		}
		fmt.Fprintf(s.Err, "lens: warning: %s%s\n", failure.Clean(w.Message), failure.Clean(where))
	}
	if r := run.Records; r.Lost() {
		fmt.Fprintf(s.Err, recordsLost,
			r.Read, r.Messages, r.Documents, r.Opaque, r.Torn, r.Skipped)
	}
}

// Named returns the run that sources name, or nil if they name several runs.
func (s *Session) Named(ctx context.Context, sources []string) (*model.Run, error) {
	if len(sources) != 1 {
		return nil, nil
	}
	src, id, err := s.Open(ctx, sources[0])
	var several *trace.AmbiguousError
	if errors.As(err, &several) && several.Folder {
		return nil, nil // a folder of runs
	}
	if err != nil {
		return nil, err
	}
	if id == "" && len(src.Entries) > 1 {
		return nil, nil
	}
	entry, err := src.Pick(id)
	if err != nil {
		return nil, err
	}
	return s.Read(ctx, src, entry.ID)
}
