package cli

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/session"
	"agentlens/internal/library/catalog"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// threadOptions select the threads of a sweep.
type threadOptions struct {
	thread string    // a thread of the only run; "" selects the main thread of every run
	all    bool      // every thread of every run
	since  time.Time // runs that were written to since then; zero selects all
}

// addSince adds --since to a command that sweeps over runs.
func addSince(cmd *cobra.Command, since *string) { cmd.Flags().StringVar(since, "since", "", "") }

// parseSince parses the value of --since.
func parseSince(text string) (since time.Time, err error) {
	if text != "" {
		if since, err = catalog.ParseSince(text, time.Now()); err != nil {
			err = failure.Usage("invalid --since " + err.Error())
		}
	}
	return since, err
}

// wants reports whether a run was written to since the requested time. A run without recorded times was not.
func (o threadOptions) wants(run *model.Run) bool {
	if o.since.IsZero() {
		return true
	}
	times := []model.Time{run.StartedAt, run.EndedAt}
	for _, t := range run.Threads {
		if n := len(t.Calls); n > 0 {
			times = append(times, t.Calls[n-1].At)
		}
	}
	return slices.ContainsFunc(times, func(t model.Time) bool {
		at, known := t.At()
		return known && !at.Before(o.since)
	})
}

// sweep calls take for the threads that a command line names: one thread if the only source is a run, or else the
// main thread of every run of files and folders. A run without threads has a nil thread. It returns the number of
// files that could not be read.
func sweep(ctx context.Context, s *session.Session, sources []string, opt threadOptions, take func(*model.Run, *model.Thread) error) (unread int, err error) {
	one, err := s.Named(ctx, sources)
	if err != nil {
		return 0, err
	}
	each := func(run *model.Run) (err error) {
		if !opt.wants(run) {
			return nil
		}
		if run, err = s.Retold(run, ""); err != nil {
			return err
		}
		if !opt.all || len(run.Threads) == 0 {
			return take(run, run.MainThread())
		}
		for _, t := range run.Threads {
			if err := take(run, t); err != nil {
				return err
			}
		}
		return nil
	}
	if one != nil {
		if opt.all || !opt.since.IsZero() && opt.thread == "" {
			return 0, each(one)
		}
		run, err := s.Retold(one, opt.thread)
		if err != nil {
			return 0, err
		}
		if run != one {
			return 0, take(run, run.MainThread())
		}
		t, err := s.Thread(one, opt.thread)
		if err != nil {
			return 0, err
		}
		return 0, take(one, t)
	}
	if opt.thread != "" {
		return 0, failure.Usage(threadOfOneRun)
	}
	chosen, err := s.Sources(ctx, sources)
	if err != nil {
		return 0, err
	}
	for _, src := range chosen.Opened {
		if err := eachEntry(ctx, src, each); err != nil {
			return 0, err
		}
	}
	for _, f := range chosen.Files {
		var own ownError
		err := trace.Each(ctx, f.Path, source.Options{}, func(run *model.Run) error {
			if err := each(run); err != nil {
				return ownError{err}
			}
			return nil
		})
		switch {
		case err == nil, errors.Is(err, trace.ErrUnknown):
		case errors.As(err, &own):
			return unread, own.error
		case ctx.Err() != nil:
			return unread, ctx.Err()
		default:
			unread++
		}
	}
	return unread, nil
}

// eachRun calls take for every run of the sources, one after another. Unread is the last error
// of a file that could not be read; files of unknown formats are skipped.
func eachRun(ctx context.Context, s *session.Session, sources []string, take func(*model.Run) error) (unread, err error) {
	run, err := s.Named(ctx, sources)
	if err != nil {
		return nil, err
	}
	if run != nil {
		return nil, take(run)
	}
	chosen, err := s.Sources(ctx, sources)
	if err != nil {
		return nil, err
	}
	for _, src := range chosen.Opened {
		if err := eachEntry(ctx, src, take); err != nil {
			return nil, err
		}
	}
	for _, f := range chosen.Files {
		var own ownError
		err := trace.Each(ctx, f.Path, source.Options{}, func(run *model.Run) error {
			if err := take(run); err != nil {
				return ownError{err}
			}
			return nil
		})
		switch {
		case errors.As(err, &own):
			return unread, own.error
		case ctx.Err() != nil:
			return unread, ctx.Err()
		case err != nil && !errors.Is(err, trace.ErrUnknown):
			unread = err
		}
	}
	return unread, nil
}

// An ownError reports a failure to score a run, as opposed to a failure to read the run.
type ownError struct{ error }

func eachEntry(ctx context.Context, src *trace.Source, take func(*model.Run) error) error {
	for _, e := range src.Entries {
		run, err := src.Load(ctx, e.ID, source.Options{})
		if err != nil {
			return err
		}
		if err := take(run); err != nil {
			return err
		}
	}
	return nil
}

// requests recognises the calls that several files contain: resumed and copied sessions repeat them.
type requests struct {
	seen     map[string]bool // by message id and request id of the provider
	repeated int             // calls seen before
}

// counts returns a function that reports whether a call of a thread is seen for the first time. Calls without the
// provider's ids always are.
func (r *requests) counts(t *model.Thread) func(*model.Call) bool {
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	again := map[int]bool{}
	for i := range t.Calls {
		c := &t.Calls[i]
		reply, ok := c.Reply.Get()
		if !ok || c.RequestID == "" || t.At(reply).ID == "" {
			continue
		}
		id := t.At(reply).ID + "\x00" + c.RequestID
		if r.seen[id] {
			again[c.Number] = true
			r.repeated++
		}
		r.seen[id] = true
	}
	return func(c *model.Call) bool { return !again[c.Number] }
}
