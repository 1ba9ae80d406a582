package ui

import (
	"context"

	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/safe"
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

// A job is a view to be formed.
type job struct {
	gen    int
	run    *model.Run
	thread *model.Thread
	marks  []safe.Safe
	call   int
	chain  string
	sizes  *curate.Sizes // nil: guess
	window int64
	gate   *safe.Gate
	had    *replays
	rough  bool // texts need not be read yet to size what the chain makes
	// programs is what a chain's programs are run with.
	programs curate.Input
}

// formed is the answer to a job.
type formed struct {
	gen     int
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
func (j job) form(ctx context.Context) formed {
	r, err := j.replay(ctx)
	if err != nil && ctx.Err() == nil && runsProgram(j.chain) {
		j.chain = ""
		f := j.form(ctx)
		if f.failed = err; f.shown != nil {
			f.shown.failed = true
		}
		return f
	}
	if err != nil {
		return formed{gen: j.gen, err: err}
	}
	s := &shown{
		thread: j.thread, call: j.call, chain: j.chain, marks: j.marks,
		tokens: r.sizes.Tokens, exact: r.sizes.Exact, method: r.sizes.Method, rest: r.sizes.BesideAt(j.call),
		basis: model.NotRecorded, was: -1,
	}
	if j.chain == "" && r.recorded.Has(j.call) {
		s.view = r.recorded.View(j.call)
		s.basis = s.view.Basis
	} else {
		s.view = r.chained.View(j.call)
		s.basis = r.recorded.Basis(j.call)
		s.whatIf = j.chain == ""
		if r.recorded.Has(j.call) {
			_, sent := r.recorded.Tally(j.call)
			s.was = sent.Tokens
		}
	}
	s.problems = len(curate.ProblemsFor(j.run, s.view))
	s.align(j.gate)
	return formed{gen: j.gen, replays: r, shown: s}
}

func (j job) replay(ctx context.Context) (*replays, error) {
	r := &replays{thread: j.thread, sizes: j.sizes, chain: j.chain, window: j.window}
	if j.had != nil && j.had.thread == j.thread && (j.sizes == nil || j.had.sizes == j.sizes) {
		r.sizes, r.recorded = j.had.sizes, j.had.recorded
		if j.had.chain == j.chain && j.had.window == j.window && (j.had.only == 0 || j.had.only == j.call) && (j.rough || !j.had.rough) {
			r.chained, r.only, r.rough = j.had.chained, j.had.only, j.had.rough
		}
	}
	if r.sizes == nil {
		r.sizes = curate.Guess(j.thread)
	}
	in := curate.Input{Run: j.run, Thread: j.thread, Sizes: r.sizes, Texts: r.sizes.Counted(), Window: j.window, Mask: j.programs.Mask}
	var err error
	if r.recorded == nil {
		if r.recorded, err = curate.Recorded(ctx, in); err != nil {
			return nil, err
		}
	}
	if r.chained != nil || j.chain == "" && r.recorded.Has(j.call) {
		return r, nil
	}
	text := j.chain
	if text == "" {
		text = "passthrough"
	}
	chain, err := curate.Parse(text)
	if err != nil {
		return nil, err
	}
	if len(chain.Programs()) > 0 {
		r.only, in.Only = j.call, j.call
		in.Runner, in.Unmasked = j.programs.Runner, j.programs.Unmasked
	}
	if j.rough && j.chain != "" && in.Texts {
		r.rough, in.Texts = true, false
	}
	r.chained, err = curate.Replay(ctx, in, chain)
	return r, err
}
