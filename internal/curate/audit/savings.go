package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"agentlens/internal/curate"
	"agentlens/internal/curate/evidence"
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
	opt := score.Options{Prices: th.opt.Prices, Evidence: e, Record: score.RecordOf(th.in, th.rec), Totals: true}
	if th.opt.Windows != nil {
		opt.Windows = th.opt.Windows(th.run, th.t)
	}
	base, against, err := th.baseline(ctx, opt)
	if err != nil || !priced(&base) {
		return nil, err
	}
	opt.Evidence = nil // what a chain loses matters only if it is cheap
	var best, most *trial
	for i := range chains {
		t, err := th.try(ctx, &chains[i], opt)
		if err != nil {
			return nil, err
		}
		if t == nil || t.Calls != base.Calls || t.first == 0 || t.Cost.Amount >= base.Cost.Amount || best != nil && t.Cost.Amount >= best.Cost.Amount {
			continue
		}
		t.lose(e)
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
	f.Title = fmt.Sprintf("%s would have made %s %s%s%s%s", chosen.name, what, chosen.effect(&base), against, chosen.bill(&base), chosen.price(&base))
	f.Brief = fmt.Sprintf("%s: %s%s%s%s", chosen.name, chosen.effect(&base), against, chosen.figures(), chosen.bill(&base))
	if most != chosen && most.bearable() {
		f.Title += fmt.Sprintf("; %s would have made it %s%s%s", most.name, most.effect(&base), most.bill(&base), most.price(&base))
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

	replay *curate.Replayed // until its loss is known
}

// lose sets what a trial loses.
func (t *trial) lose(e *curate.Evidence) {
	for _, l := range evidence.Losses(t.replay, e) {
		t.Loss.Add(l)
	}
	t.replay = nil
}

// try replays a candidate, without its loss. It returns nil if that is not possible, or if the cost is unknown.
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
	return &trial{s, c.Name, c.Chain.String(), firstChange(r), r}, nil
}

// effect returns the saving for a person: "57% cheaper".
func (t *trial) effect(base *score.Score) string {
	return score.Percent(float64(base.Cost.Amount-t.Cost.Amount)/float64(base.Cost.Amount), true) + " cheaper"
}

// bill returns the costs that a saving compares: " (≈$5.49 → ~$4.18)".
func (t *trial) bill(base *score.Score) string {
	return fmt.Sprintf(" (%s → %s)", base.Cost, t.Cost)
}

// lost returns the shares that decide between savings: that of what later replies used or requested again, and that
// of the instructions. A finding names the shares of [losses] instead, which a comparison of chains shows.
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

// A lossFigure is a lost share that a finding and a comparison of chains both show.
type lossFigure struct {
	name string // of the column of a comparison, in lower case
	what string // in a sentence
	of   func(l *evidence.Loss) evidence.Share
}

func losses() []lossFigure {
	return []lossFigure{
		{"needed later", "what was needed later", func(l *evidence.Loss) evidence.Share { return l.Needed }},
		{"repeated", "the results requested again", func(l *evidence.Loss) evidence.Share { return l.Repeated }},
		{"instructions", "the instructions", func(l *evidence.Loss) evidence.Share { return l.Instructions }},
	}
}

// percent returns a lost share, or "" if nothing was lost.
func percent(s evidence.Share) string {
	if s.Of == 0 || s.Lost == 0 {
		return ""
	}
	return score.Percent(s.Lost/s.Of, true)
}

// price describes what the saving loses, and what the record lost of the same.
func (t *trial) price(base *score.Score) string {
	if _, known := t.Loss.Share(); !known {
		return ""
	}
	var list []string
	for _, l := range losses() {
		share := percent(l.of(&t.Loss))
		if share == "" {
			continue
		}
		text := share + " of " + l.what
		if before := percent(l.of(&base.Loss)); before != "" {
			text += " (the record: " + before + ")"
		}
		list = append(list, text)
	}
	if len(list) == 0 {
		return " and lost nothing that was needed later"
	}
	return " and lost " + strings.Join(list, " and ")
}

// figures lists the shares of price for one line: " · needed later 3%, repeated 60%".
func (t *trial) figures() string {
	share, known := t.Loss.Share()
	if !known {
		return ""
	}
	text := " · needed later " + score.Percent(share, true)
	for _, l := range losses()[1:] {
		if share := percent(l.of(&t.Loss)); share != "" {
			text += ", " + l.name + " " + share
		}
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
