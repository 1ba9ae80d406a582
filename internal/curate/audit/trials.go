package audit

import (
	"context"
	"errors"

	"agentlens/internal/curate/windows"

	"agentlens/internal/curate"
	"agentlens/internal/curate/evidence"
	"agentlens/internal/curate/money"
	"agentlens/internal/curate/score"
	"agentlens/internal/model"
)

// A result holds what a saving compares: the figures of what was sent, or of a chain. They are numbers only.
type result struct {
	priced bool // the cost of every call is known; otherwise the other figures mean nothing
	calls  int  // whose prompts are known
	sent   int64
	cost   money.Sum
	first  int  // the first call whose view differs from the full history, or 0
	whole  bool // the figures are those of the full history, because what was sent is not known
	judged bool // loss is known
	loss   evidence.Loss
}

// trials are the results of a thread: of what was sent, and of the chains that were tried. They are found when they
// are needed, and kept between two starts of the program.
type trials struct {
	th    *thread
	base  *result
	of    map[chainID]*result
	store model.NumberStore // nil keeps nothing
	key   trialsKey         // of what is kept
	found bool              // some results are not kept yet
	opt   score.Options     // see options
}

// openTrials returns the trials of the thread with the results that are kept.
func (th *thread) openTrials() *trials {
	l := &trials{th: th, of: map[chainID]*result{}}
	in := &th.in
	if th.opt.Program == "" || in.Mask != nil || in.Template != nil || in.Trigger != (windows.Trigger{}) { // the key has none of these
		return l
	}
	if l.store, _ = th.run.Kept.(model.NumberStore); l.store != nil {
		l.key = th.trialsKey()
		if list, ok := l.store.LoadNumbers(th.run, th.t, trialsName); ok {
			l.unpack(list)
		}
	}
	return l
}

// save keeps the results.
func (l *trials) save() {
	if l.found && l.base != nil && l.store != nil {
		l.store.SaveNumbers(l.th.run, l.th.t, trialsName, l.pack())
	}
}

// options returns the options of scores. They hold no evidence: what a chain loses matters only if it is cheap.
func (l *trials) options() score.Options {
	if l.opt.Record == nil {
		l.opt = score.Options{Prices: l.th.opt.Prices, Record: score.RecordOf(l.th.in, l.th.rec), Totals: true}
	}
	return l.opt
}

// baseline returns the result of what was sent. If that is not known for all calls, it is that of the full history.
func (l *trials) baseline(ctx context.Context) (*result, error) {
	if l.base != nil {
		return l.base, nil
	}
	th := l.th
	base, err := l.score(ctx, th.rec)
	if err != nil {
		return nil, err
	}
	replay := th.rec
	if base.calls != len(th.t.Calls) {
		all, err := curate.Parse("passthrough")
		if err != nil {
			return nil, err
		}
		if replay, err = curate.Replay(ctx, th.in, all); err != nil {
			return nil, err
		}
		if base, err = l.score(ctx, replay); err != nil {
			return nil, err
		}
		base.whole = true
	}
	if base.priced {
		if err := l.lose(ctx, base, replay); err != nil {
			return nil, err
		}
	}
	l.base, l.found = base, true
	return base, nil
}

// try returns the result of a chain, whose loss may be unknown, and its replay unless the result was kept. The chain
// may be impossible: its result then has no price.
func (l *trials) try(ctx context.Context, c curate.Chain) (*result, *curate.Replayed, error) {
	id := l.key.of(c)
	if r := l.of[id]; r != nil {
		return r, nil, nil
	}
	r, replay := &result{}, (*curate.Replayed)(nil)
	if len(c.Programs()) == 0 {
		var err error
		replay, err = curate.Replay(ctx, l.th.in, c)
		if cannot := (*curate.BuildError)(nil); err != nil && !errors.As(err, &cannot) {
			return nil, nil, err
		}
		if err == nil {
			if r, err = l.score(ctx, replay); err != nil {
				return nil, nil, err
			}
			r.first = firstChange(replay)
		}
	}
	l.of[id], l.found = r, true
	return r, replay, nil
}

// score returns the result of a replay without its loss.
func (l *trials) score(ctx context.Context, replay *curate.Replayed) (*result, error) {
	s, _, err := score.Of(ctx, l.th.in, replay, l.options())
	return &result{priced: s.Cost.Known() && s.Cost.Unpriced == 0 && s.Cost.Amount > 0, calls: s.Calls, sent: s.Sent, cost: s.Cost}, err
}

// lose sets what a result loses. replay is that of the result.
func (l *trials) lose(ctx context.Context, r *result, replay *curate.Replayed) error {
	e, err := l.th.evidence(ctx)
	if err != nil {
		return err
	}
	for _, loss := range evidence.Losses(replay, e) {
		r.loss.Add(loss)
	}
	r.judged, l.found = true, true
	return nil
}

// judge sets what a chain loses, unless it is known. replay is that of the chain, or nil.
func (l *trials) judge(ctx context.Context, c curate.Chain, r *result, replay *curate.Replayed) (err error) {
	if r.judged {
		return nil
	}
	if replay == nil {
		if replay, err = curate.Replay(ctx, l.th.in, c); err != nil {
			return err
		}
	}
	return l.lose(ctx, r, replay)
}

// firstChange returns the first call whose view differs in size from the full history, or 0.
func firstChange(r *curate.Replayed) int {
	for n := 1; n <= r.Calls(); n++ {
		if _, view := r.Tally(n); r.Full(n) != view {
			return n
		}
	}
	return 0
}
