package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"agentlens/internal/curate"
	"agentlens/internal/curate/score"
)

// mostReplayed limits the work of trying chains: chains × messages.
const mostReplayed = 4_000_000

// savings finds the candidate that would have saved most, as one finding of the main thread: among those that
// lose little, or no more than the record, otherwise among all. A saving that loses more has no weight, and is not
// named next to one that loses little. It tries nothing in very long threads.
func savings(ctx context.Context, th *thread) ([]Finding, error) {
	chains := th.opt.Candidates
	if !th.main || len(chains) == 0 || len(th.t.Calls) == 0 || th.t.Len()*len(chains) > mostReplayed {
		return nil, nil
	}
	e, err := th.evidence(ctx)
	if err != nil {
		return nil, err
	}
	record, err := score.NewRecord(ctx, th.in)
	if err != nil {
		return nil, err
	}
	opt := score.Options{Prices: th.opt.Prices, Evidence: e, Record: record}
	if th.opt.Windows != nil {
		opt.Windows = th.opt.Windows(th.run, th.t)
	}
	base, against, err := th.baseline(ctx, opt)
	if err != nil || !priced(&base) {
		return nil, err
	}
	var best, most *trial
	for i := range chains {
		t, err := th.try(ctx, &chains[i], opt)
		if err != nil {
			return nil, err
		}
		if t == nil || t.Calls != base.Calls || t.first == 0 || t.Cost.Amount >= base.Cost.Amount {
			continue
		}
		if most == nil || t.Cost.Amount < most.Cost.Amount {
			most = t
		}
		if t.mild(&base) && (best == nil || t.Cost.Amount < best.Cost.Amount) {
			best = t
		}
	}
	if most == nil {
		return nil, nil
	}
	chosen := cmp.Or(best, most)
	f := Finding{Certainty: Estimated, Tokens: tokens(max(0, base.Sent-chosen.Sent)), Calls: []int{chosen.first}, Chain: chosen.chain}
	what := "the run"
	if len(th.run.Threads) > 1 {
		what = "the main thread"
	}
	f.Title = fmt.Sprintf("%s would have made %s %s", chosen.name, what, chosen.effect(base)) + against + chosen.price()
	if chosen.mild(&base) && !chosen.mild(&score.Score{}) {
		f.Title += ", no more than the record"
	}
	if most != chosen && most.bearable() {
		f.Title += fmt.Sprintf("; %s would have made it %s%s", most.name, most.effect(base), most.price())
	}
	th.priced(&f, (base.Cost.Amount - chosen.Cost.Amount).USD())
	if !chosen.mild(&base) {
		f.dollars = 0 // no saving worth a rank
	}
	f.Evidence = []Evidence{th.callPlace(chosen.first, "the first prompt that it changes")}
	return []Finding{f}, nil
}

// priced reports whether the cost of every call is known.
func priced(s *score.Score) bool { return s.Cost.Known() && s.Cost.Unpriced == 0 && s.Cost.Amount > 0 }

// mildLoss is the share of what later replies used, and of the instructions, that a preset
// may lose to be preferred.
const mildLoss = 0.10

// heavyLoss is the share of what later replies used, and of the instructions, beyond which a saving is not named
// next to a preferred one.
const heavyLoss = 0.50

// A trial is a candidate with its score.
type trial struct {
	score.Score
	name  string
	chain string
	first int // the first call whose view differs from the full history
}

// try replays a candidate. It returns nil if that is not possible, or if the cost is unknown.
func (th *thread) try(ctx context.Context, c *Candidate, opt score.Options) (*trial, error) {
	if len(c.Chain.Programs()) > 0 {
		return nil, nil
	}
	r, err := curate.Replay(ctx, th.in, c.Chain)
	var cannot *curate.BuildError
	if errors.As(err, &cannot) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s, _, err := score.Of(ctx, th.in, r, opt)
	if err != nil || !priced(&s) {
		return nil, err
	}
	return &trial{s, c.Name, c.Chain.String(), firstChange(r)}, nil
}

// effect returns the saving for a person: "57% cheaper".
func (t *trial) effect(base score.Score) string {
	return score.Percent(float64(base.Cost.Amount-t.Cost.Amount)/float64(base.Cost.Amount), true) + " cheaper"
}

// lost returns the lost share of what later replies used, and the lost share of the instructions.
func lost(s *score.Score) (used, instructions float64) {
	part := func(lost, of float64) float64 {
		if of == 0 {
			return 0
		}
		return lost / of
	}
	l := &s.Loss
	return part(l.Needed.Lost+l.Repeated.Lost, l.Needed.Of+l.Repeated.Of), part(l.Instructions.Lost, l.Instructions.Of)
}

// price describes what the saving loses.
func (t *trial) price() string {
	if _, known := t.Loss.Share(); !known {
		return ""
	}
	used, instructions := lost(&t.Score)
	text := fmt.Sprintf(" and lost %s of what later replies used", score.Percent(used, true))
	if instructions > 0 {
		text += fmt.Sprintf(" and %s of the instructions", score.Percent(instructions, true))
	}
	return text
}

// mild reports whether the loss is known, and small or no larger than that of base.
func (t *trial) mild(base *score.Score) bool {
	_, known := t.Loss.Share()
	used, instructions := lost(&t.Score)
	usedBefore, instructionsBefore := lost(base)
	return known && used <= max(mildLoss, usedBefore) && instructions <= max(mildLoss, instructionsBefore)
}

// bearable reports whether the loss is known and not heavy.
func (t *trial) bearable() bool {
	_, known := t.Loss.Share()
	used, instructions := lost(&t.Score)
	return known && used <= heavyLoss && instructions <= heavyLoss
}

// baseline returns the score of what was sent. If that is not known for all calls, it returns the score of the
// full history and words that say so.
func (th *thread) baseline(ctx context.Context, opt score.Options) (score.Score, string, error) {
	s, _, err := score.Of(ctx, th.in, th.rec, opt)
	if err != nil || s.Calls == len(th.t.Calls) {
		return s, "", err
	}
	all, err := curate.Parse("passthrough")
	if err != nil {
		return s, "", err
	}
	r, err := curate.Replay(ctx, th.in, all)
	if err != nil {
		return s, "", err
	}
	s, _, err = score.Of(ctx, th.in, r, opt)
	return s, " than with the full history", err
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
