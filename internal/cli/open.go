package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"agentlens/internal/demo"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// open finds the source a person names: a path, source#id, an id or its prefix,
// "latest", "demo", or "-". The id is what is left to pick from it.
func (a *app) open(ctx context.Context, name string) (src *trace.Source, id string, err error) {
	path, id := trace.SplitName(name)
	switch path {
	case "":
		return nil, "", usageError{"the name of a run is empty: want a path, an id, latest, demo or -"}
	case "demo":
		f, err := demo.Open()
		if err != nil {
			return nil, "", err
		}
		src, err = trace.OpenFile(ctx, f)
		return a.keep(src, id, err)
	case "-", stdinName:
		src, err := a.standardInput(ctx)
		return src, id, err
	}
	if _, statErr := os.Stat(path); statErr == nil {
		src, err = trace.Open(ctx, path)
		if errors.Is(err, trace.ErrDirectory) {
			return a.openFolder(ctx, path, id)
		}
		return a.keep(src, id, err)
	}
	if strings.ContainsRune(name, filepath.Separator) {
		src, err = trace.Open(ctx, path) // for its error
		return a.keep(src, id, err)
	}
	finder := trace.Finder{Env: os.Getenv}
	return a.openByID(ctx, name, finder.Machine(ctx))
}

// stdinName is what standard input is called where a path would stand: an id behind
// it names one of its runs, since "-#id" would be a flag.
const stdinName = "standard input"

// standardInput opens what comes in on standard input. It comes but once, so that the
// source is kept for whoever asks again.
func (a *app) standardInput(ctx context.Context) (*trace.Source, error) {
	if a.piped != nil {
		return a.piped, nil
	}
	f, err := source.FromReader(stdinName, newUntilDone(ctx, a.in))
	if err != nil {
		return nil, err
	}
	src, err := trace.OpenFile(ctx, f)
	a.piped, _, err = a.keep(src, "", err)
	return a.piped, err
}

func (a *app) keep(src *trace.Source, id string, err error) (*trace.Source, string, error) {
	if err != nil {
		return nil, "", err
	}
	a.opened = append(a.opened, src)
	return src, id, nil
}

// openFolder opens the one source a folder holds, or the one with a run of the id.
func (a *app) openFolder(ctx context.Context, path, id string) (*trace.Source, string, error) {
	if id == "" {
		id = "*"
	}
	src, id, err := a.openByID(ctx, id, (&trace.Finder{Env: os.Getenv}).Below(ctx, path))
	var none *source.UnreadableError
	if errors.As(err, &none) && none.Path == "" {
		return nil, "", &source.UnreadableError{Path: path, Err: errors.New("a folder without a run lens can read; `lens list` says what it looks for")}
	}
	var several *trace.AmbiguousError
	if errors.As(err, &several) {
		several.Source = path
	}
	return src, id, err
}

// openByID looks through files for a run by id or unique prefix; "latest" is the
// newest run, "*" any one. Files named after an id are tried first.
func (a *app) openByID(ctx context.Context, id string, files []trace.Found) (*trace.Source, string, error) {
	var only *trace.Source // of the first hit
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
		a.opened = append(a.opened, src)
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
		if src != only { // there may be more files than can be open
			a.opened = a.opened[:len(a.opened)-1]
			src.Close()
		}
	}
	switch len(hits) {
	case 0:
		return nil, "", &source.UnreadableError{Path: strings.TrimSuffix(id, "*"), Err: errors.New("no such file, and no run found here has this id; `lens list` shows the runs")}
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

// load opens and reads the one run that name means.
func (a *app) load(ctx context.Context, name string) (*model.Run, error) {
	src, id, err := a.open(ctx, name)
	if err != nil {
		return nil, err
	}
	entry, err := src.Pick(id)
	if err != nil {
		return nil, err
	}
	return a.read(ctx, src, entry.ID)
}

func (a *app) read(ctx context.Context, src *trace.Source, id string) (*model.Run, error) {
	p := a.progress(src.Size())
	run, err := src.Load(ctx, id, source.Options{Progress: p.set})
	p.end()
	if err != nil {
		return nil, err
	}
	a.warn(run)
	return run, nil
}

// warn prints a run's warnings, and the sum of its records when any was lost.
func (a *app) warn(run *model.Run) {
	for _, w := range run.Warnings {
		where := ""
		if w.Where != "" {
			where = " (" + w.Where + ")"
		}
		fmt.Fprintf(a.err, "lens: warning: %s%s\n", clean(w.Message), clean(where))
	}
	if r := run.Records; r.Lost() {
		fmt.Fprintf(a.err, "lens: %d records read = %d messages + %d documents + %d opaque + %d torn + %d skipped\n",
			r.Read, r.Messages, r.Documents, r.Opaque, r.Torn, r.Skipped)
	}
}

// thread picks the thread a person names by id or unique prefix of it or of a title, else
// the main one, which is named on stderr when there are several.
func (a *app) thread(run *model.Run, name string) (*model.Thread, error) {
	if len(run.Threads) == 0 {
		return nil, notFound{fmt.Sprintf("run %s holds no conversation; `lens show %s --json` lists its documents", run.ID, run.ID)}
	}
	if name == "" {
		t := run.MainThread()
		if len(run.Threads) > 1 {
			fmt.Fprintf(a.err, "lens: thread %s, one of %d; --thread picks another\n", clean(t.ID), len(run.Threads))
		}
		return t, nil
	}
	fits := run.ThreadsNamed(name)
	if len(fits) == 1 {
		return fits[0], nil
	}
	what, list := fmt.Sprintf("no thread %q; the run has", name), run.Threads
	if len(fits) > 1 {
		what, list = fmt.Sprintf("several threads begin with %q:", name), fits
	}
	var ids []string
	for _, t := range list[:min(len(list), 12)] {
		ids = append(ids, t.ID)
	}
	more := ""
	if n := len(list) - len(ids); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return nil, usageError{fmt.Sprintf("%s %s%s", what, strings.Join(ids, ", "), more)}
}

// callNumber reads --call: a number, first, last, or next (the default).
func callNumber(text string, calls int) (int, error) {
	switch text {
	case "", "next":
		return calls + 1, nil
	case "first":
		return 1, nil
	case "last":
		return max(calls, 1), nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, usageError{fmt.Sprintf("--call %s: want a number, first, last, next or all", text)}
	}
	if calls == 0 && n != 1 {
		return 0, usageError{fmt.Sprintf("--call %d: the thread has no provider call; 1 is the one that would be next", n)}
	}
	if n < 1 || n > calls+1 {
		return 0, usageError{fmt.Sprintf("--call %d: the thread has calls 1 to %d, and %d is the next one", n, calls, calls+1)}
	}
	return n, nil
}
