package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/number"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/session"
	"agentlens/internal/curate"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/models"
	"agentlens/internal/curate/score"
	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// A comparison scores chains on the same threads.
type comparison struct {
	*session.Session
	entries []candidate
	// checks enables lint for a sample of the views; all enables it for every view.
	checks, all bool
	// recorded adds the recorded views as the first row.
	recorded bool

	scores  []score.Score    // of the record, then of each chain
	refused []output.Refusal // per chain
	skipped int              // runs without provider calls
	unread  int              // files that could not be read
}

// A candidate is a chain and its name in the table.
type candidate struct {
	curate.Chain
	name string
}

// Add adds a chain.
func (c *comparison) Add(text, name string) error {
	chain, err := c.Chain(text)
	c.entries = append(c.entries, candidate{chain, name})
	return err
}

// run scores all chains on a thread. It reads and counts the texts once.
func (c *comparison) run(ctx context.Context, run *model.Run, t *model.Thread) error {
	if c.scores == nil {
		c.scores, c.refused = make([]score.Score, 1+len(c.entries)), make([]output.Refusal, len(c.entries))
	}
	if len(t.Calls) == 0 {
		c.skipped++
		return nil
	}
	in, err := c.Input(ctx, run, t)
	if err != nil {
		return err
	}
	opt, err := scoreOptions(ctx, c.Session, in, c.checks)
	if err != nil {
		return err
	}
	if !c.all {
		opt.Look = score.Looked
	}
	if c.recorded {
		r, err := curate.Recorded(ctx, in)
		if err != nil {
			return err
		}
		s, _, err := score.Of(ctx, in, r, opt)
		if err != nil {
			return err
		}
		if s.Calls > 0 {
			c.scores[0].Add(s)
		}
	}
	for i, e := range c.entries {
		r, err := curate.Replay(ctx, in, e.Chain)
		var cannot *curate.BuildError
		if errors.As(err, &cannot) {
			if c.refused[i].Threads++; c.refused[i].Why == nil {
				c.refused[i].Why = cannot
			}
			continue
		}
		if err != nil {
			return err
		}
		s, _, err := score.Of(ctx, in, r, opt)
		if err != nil {
			return err
		}
		c.scores[1+i].Add(s)
	}
	return nil
}

// scoreOptions returns the options for scoring a thread. checks enables lint.
func scoreOptions(ctx context.Context, s *session.Session, in curate.Input, checks bool) (opt score.Options, err error) {
	table, err := s.Models()
	if err != nil {
		return opt, err
	}
	windows, err := s.Windows()
	if err != nil {
		return opt, err
	}
	window := windows.At(in.Run, in.Thread)
	opt.Windows = func(call int) int64 { return window(call).Tokens }
	opt.Prices = func(name string) models.Prices { return table.Find(name).Prices }
	if checks {
		opt.Linter, opt.Providers = lint.New(in.Run, in.Thread, in.Window), lint.Providers()
	}
	opt.Evidence, err = curate.FindEvidence(ctx, in.Run, in.Thread)
	return opt, err
}

// over scores the sources of a command line: one thread if the only source is a run, or else the main thread of
// every run of files and folders.
func (c *comparison) over(ctx context.Context, sources []string, thread string) error {
	one, err := c.Named(ctx, sources)
	if err != nil {
		return err
	}
	if one != nil {
		t, err := c.Session.Thread(one, thread)
		if err != nil {
			return err
		}
		return c.run(ctx, one, t)
	}
	if thread != "" {
		return failure.Usage(threadOfOneRun)
	}
	chosen, err := c.Sources(ctx, sources)
	if err != nil {
		return err
	}
	take := func(run *model.Run) error {
		if t := run.MainThread(); t != nil {
			return c.run(ctx, run, t)
		}
		c.skipped++
		return nil
	}
	for _, src := range chosen.Opened {
		if err := eachEntry(ctx, src, take); err != nil {
			return err
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
		case err == nil, errors.Is(err, trace.ErrUnknown):
		case errors.As(err, &own):
			return own.error
		case ctx.Err() != nil:
			return ctx.Err()
		default:
			c.unread++
		}
	}
	return nil
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

// notRun prints on stderr which chains could not run on any thread, and why. The last asked chains are those that
// the user named. If none of them could run, notRun returns an error.
func (c *comparison) notRun(asked int) error {
	var reasons []string
	chains := map[string][]string{}
	ran := asked == 0
	for i, e := range c.entries {
		why := c.refused[i].Why
		if why == nil || c.scores[1+i].Runs > 0 {
			ran = ran || i >= len(c.entries)-asked
			continue
		}
		if chains[why.Message] == nil {
			reasons = append(reasons, why.Message)
		}
		chains[why.Message] = append(chains[why.Message], e.name)
	}
	if !ran {
		return c.refused[len(c.entries)-asked].Why
	}
	for _, why := range reasons {
		fmt.Fprintf(c.Err, notRun, failure.CleanLine(strings.Join(chains[why], ", ")), failure.CleanLine(why))
	}
	return nil
}

// remarks prints on stderr which runs and files were left out.
func (c *comparison) remarks() {
	if c.skipped > 0 {
		fmt.Fprintf(c.Err, leftOut, number.Count(c.skipped, "run"))
	}
	if n := len(c.scores); c.checks && n > 0 && c.scores[n-1].Checked < c.scores[n-1].Calls {
		fmt.Fprintf(c.Err, partlyChecked, c.scores[n-1].Checked, c.scores[n-1].Calls)
	}
	if c.unread > 0 {
		fmt.Fprintf(c.Err, filesUnread, number.Count(c.unread, "file"))
	}
}
