package ui

import (
	"context"

	"agentlens/internal/curate"
	"agentlens/internal/export"
	"agentlens/internal/model"
)

// replays holds what was replayed of one thread with one set of sizes, so that
// going from call to call costs only a view. It is never changed, only replaced.
type replays struct {
	thread   *model.Thread
	sizes    *curate.Sizes
	chain    string
	window   int64 // that the chain was run with
	recorded *curate.Replayed
	chained  *curate.Replayed // chain, or passthrough where chain is empty
	only     int              // the one call chained is good for, 0 for all
	rough    bool             // chained is sized without reading texts
}

// A query asks for the view of a thread at one of its calls.
type query struct {
	run    *model.Run
	thread *model.Thread
	marks  []export.Safe
	call   int
	chain  string
	sizes  *curate.Sizes // nil: guess
	window int64
	gate   *export.Gate
	had    *replays
	rough  bool // texts need not be read yet to size what the chain makes
	// programs is what a chain's programs are run with.
	programs curate.Input
}

// formed is the answer to a query.
type formed struct {
	replays *replays
	shown   *shown
	err     error
	failed  error // of the chain: what is shown is the record or the what-if
}

// fault is why the view that was asked for could not be formed; nil where it was.
func (f *formed) fault() error {
	if f.err != nil {
		return f.err
	}
	return f.failed
}

// form replays what is not replayed yet and reads the view off.
func (q query) form(ctx context.Context) formed {
	r, err := q.replay(ctx)
	if err != nil && ctx.Err() == nil && runsProgram(q.chain) {
		q.chain = ""
		f := q.form(ctx)
		if f.failed = err; f.shown != nil {
			f.shown.failed = true
		}
		return f
	}
	if err != nil {
		return formed{err: err}
	}
	s := &shown{
		thread: q.thread, call: q.call, chain: q.chain, marks: q.marks,
		tokens: r.sizes.Tokens, exact: r.sizes.Exact, method: r.sizes.Method, rest: r.sizes.BesideAt(q.call),
		basis: model.NotRecorded, was: -1,
	}
	if q.chain == "" && r.recorded.Has(q.call) {
		s.view = r.recorded.View(q.call)
		s.basis = s.view.Basis
	} else {
		s.view = r.chained.View(q.call)
		s.basis = r.recorded.Basis(q.call)
		s.whatIf = q.chain == ""
		if r.recorded.Has(q.call) {
			_, sent := r.recorded.Tally(q.call)
			s.was = sent.Tokens
		}
	}
	s.problems = len(curate.ProblemsFor(q.run, s.view))
	s.align(q.gate)
	return formed{replays: r, shown: s}
}

func (q query) replay(ctx context.Context) (*replays, error) {
	r := &replays{thread: q.thread, sizes: q.sizes, chain: q.chain, window: q.window}
	if q.had != nil && q.had.thread == q.thread && (q.sizes == nil || q.had.sizes == q.sizes) {
		r.sizes, r.recorded = q.had.sizes, q.had.recorded
		if q.had.chain == q.chain && q.had.window == q.window && (q.had.only == 0 || q.had.only == q.call) && (q.rough || !q.had.rough) {
			r.chained, r.only, r.rough = q.had.chained, q.had.only, q.had.rough
		}
	}
	if r.sizes == nil {
		r.sizes = curate.Guess(q.thread)
	}
	in := curate.Input{Run: q.run, Thread: q.thread, Sizes: r.sizes, Texts: r.sizes.Counted(), Window: q.window, Mask: q.programs.Mask}
	var err error
	if r.recorded == nil {
		if r.recorded, err = curate.Recorded(ctx, in); err != nil {
			return nil, err
		}
	}
	if r.chained != nil || q.chain == "" && r.recorded.Has(q.call) {
		return r, nil
	}
	text := q.chain
	if text == "" {
		text = "passthrough"
	}
	chain, err := curate.Parse(text)
	if err != nil {
		return nil, err
	}
	if len(chain.Programs()) > 0 {
		r.only, in.Only = q.call, q.call
		in.Runner, in.Unmasked = q.programs.Runner, q.programs.Unmasked
	}
	if q.rough && q.chain != "" && in.Texts {
		r.rough, in.Texts = true, false
	}
	r.chained, err = curate.Replay(ctx, in, chain)
	return r, err
}

// runsProgram reports whether a chain runs a program.
func runsProgram(text string) bool {
	chain, err := curate.Parse(text)
	return err == nil && len(chain.Programs()) > 0
}
