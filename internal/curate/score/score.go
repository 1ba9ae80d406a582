// Package score computes the totals of a chain over every provider call of a thread: tokens
// sent, the cacheable share of each prompt, cost, loss, and the problems for which
// providers would refuse a view.
//
// The package must never read a file, and must never report an unknown figure as 0.
package score

import (
	"context"
	"fmt"

	"agentlens/internal/curate"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/evidence"
	"agentlens/internal/curate/lint"
	"agentlens/internal/curate/models"
	"agentlens/internal/model"
)

// A CallScore holds the figures of the view of one call.
type CallScore struct {
	Number int
	// Viewed is set if the view is known; otherwise only Context and Window are set.
	Viewed bool
	// Context is the size of the prompt; ContextKnown is false if it is unknown. Window is
	// the model's context window in tokens, or 0 if it is unknown.
	Context      model.Context
	ContextKnown bool
	Window       int64
	Tokens, Full int64 // of the view, and of the full history
	Messages     int   // in the view
	engine.Flow
	Cost Money
	Loss evidence.Loss
	Checks
}

// Checks holds the results of checking a view message by message.
type Checks struct {
	Done     bool           // the view was checked
	Broken   int            // broken pairs of call and result, see [curate.BrokenPairs]
	Problems map[string]int // number of problems per provider
}

// Money is an amount in US dollars, unknown if a price is missing.
type Money struct {
	USD   float64
	Known bool
}

// String formats the amount as an estimate, such as "~$0.042", or "–" if it is unknown.
func (m Money) String() string {
	switch {
	case !m.Known:
		return "–"
	case m.USD < 1:
		return fmt.Sprintf("~$%.3f", m.USD)
	}
	return fmt.Sprintf("~$%.2f", m.USD)
}

// A Score holds the totals of all calls.
type Score struct {
	Runs         int
	Calls, Of    int   // calls with a known view, and all calls
	Sent, Full   int64 // tokens of the views, and of the full histories
	Peak         int64 // tokens of the largest view
	Prefix       int64 // tokens shared with the beginning of the previous view
	Messages     int   // given to at least one call
	EverDropped  int   // missing from at least one view of a call they were given to
	Cost         Money // of all calls
	Loss         evidence.Loss
	Checks           // Problems counts calls
	Checked      int // calls whose views were checked
	BrokenCalls  int // checked calls whose view breaks a pair
	RefusedCalls int // checked calls whose view breaks a pair or that a provider would refuse
	Estimated    bool
}

// Options select what is computed besides tokens.
type Options struct {
	// Prices returns the prices of a model; nil disables costs.
	Prices func(modelName string) models.Prices
	// Windows returns the context window at a call in tokens; nil disables windows.
	Windows func(call int) int64
	// Evidence is the evidence of the thread; nil disables losses.
	Evidence *curate.Evidence
	// Linter checks each view against the rules of Providers. It takes time proportional to
	// calls times messages; nil disables checks.
	Linter    *lint.Linter
	Providers []string
	// Look limits the total number of entries checked in all views, such as [Looked]. Above
	// the limit, only evenly spaced calls are checked. 0 means no limit.
	Look int
}

// Looked is the limit of [Options.Look] for interactive use: about half a second per chain.
const Looked = 300_000

// every returns the distance between checked calls.
func (o *Options) every(t *model.Thread) int {
	if o.Look == 0 {
		return 1
	}
	all := 0
	for i := range t.Calls {
		all += t.Calls[i].Given
	}
	return 1 + all/o.Look
}

// Of scores every recorded call of a replay of in whose view is known. The returned calls
// also include calls for which only the size of the prompt is known.
func Of(ctx context.Context, in curate.Input, r *curate.Replayed, opt Options) (Score, []CallScore, error) {
	flow := r.Flow()
	var losses []evidence.Loss
	if opt.Evidence != nil {
		losses = evidence.Audit(r, opt.Evidence)
	}
	s := Score{Runs: 1, Of: r.Calls(), Estimated: !in.Sizes.Exact}
	s.EverDropped, s.Messages = r.Missing()
	s.Cost.Known, s.Done = r.Calls() > 0, opt.Linter != nil
	var calls []CallScore
	every := opt.every(in.Thread)
	for n := 1; n <= r.Calls(); n++ {
		if err := ctx.Err(); err != nil {
			return s, nil, err
		}
		c := CallScore{Number: n, Viewed: r.Has(n)}
		if opt.Windows != nil {
			c.Window = opt.Windows(n)
		}
		if c.Context, c.ContextKnown = r.Context(n); !c.Viewed {
			if c.ContextKnown {
				calls = append(calls, c)
			}
			continue
		}
		full, view := r.Tally(n)
		c.Tokens, c.Full, c.Messages, c.Flow = view.Tokens, full.Tokens, view.Messages, flow[n-1]
		if opt.Prices != nil {
			c.Cost = promptCost(in.Thread, &c, opt.Prices(in.Thread.Calls[n-1].Model))
		}
		if losses != nil {
			c.Loss = losses[n-1]
		}
		if opt.Linter != nil && (r.Calls()-n)%every == 0 {
			if err := c.check(in.Thread, r.View(n), opt); err != nil {
				return s, nil, err
			}
		}
		s.take(&c)
		calls = append(calls, c)
	}
	s.Cost.Known = s.Cost.Known && s.Calls > 0
	return s, calls, nil
}

// take adds the figures of a call to the totals.
func (s *Score) take(c *CallScore) {
	s.Calls++
	s.Sent += c.Tokens
	s.Full += c.Full
	s.Peak = max(s.Peak, c.Tokens)
	s.Prefix += c.Prefix
	s.Cost.USD += c.Cost.USD
	s.Cost.Known = s.Cost.Known && c.Cost.Known
	s.Loss.Add(c.Loss)
	s.Broken += c.Broken
	if c.Done {
		s.Checked++
	}
	refused := min(c.Broken, 1)
	s.BrokenCalls += refused
	for provider, n := range c.Problems {
		s.problem(provider, min(n, 1))
		refused = max(refused, min(n, 1))
	}
	s.RefusedCalls += refused
}

func (s *Score) problem(provider string, calls int) {
	if s.Problems == nil {
		s.Problems = map[string]int{}
	}
	s.Problems[provider] += calls
}

// Add adds the score of the same chain on another run.
func (s *Score) Add(o Score) {
	if s.Runs == 0 {
		*s = o
		s.Problems = nil
		for provider, n := range o.Problems {
			s.problem(provider, n)
		}
		return
	}
	s.Runs += o.Runs
	s.Calls, s.Of = s.Calls+o.Calls, s.Of+o.Of
	s.Sent, s.Full, s.Peak, s.Prefix = s.Sent+o.Sent, s.Full+o.Full, max(s.Peak, o.Peak), s.Prefix+o.Prefix
	s.Messages, s.EverDropped = s.Messages+o.Messages, s.EverDropped+o.EverDropped
	s.Cost = Money{s.Cost.USD + o.Cost.USD, s.Cost.Known && o.Cost.Known}
	s.Loss.Add(o.Loss)
	s.Done, s.Broken, s.Checked = s.Done && o.Done, s.Broken+o.Broken, s.Checked+o.Checked
	s.BrokenCalls, s.RefusedCalls = s.BrokenCalls+o.BrokenCalls, s.RefusedCalls+o.RefusedCalls
	for provider, n := range o.Problems {
		s.problem(provider, n)
	}
	s.Estimated = s.Estimated || o.Estimated
}

// Saved returns the share of the full history that was not sent. It is unknown if the
// history is empty.
func (s *Score) Saved() (share float64, known bool) { return ratio(s.Full-s.Sent, s.Full) }

// PrefixKept returns the share of the sent tokens that repeats the beginning of the
// previous view.
func (s *Score) PrefixKept() (share float64, known bool) { return ratio(s.Prefix, s.Sent) }

// Percent formats a share: "42%", "<1%", ">99%", or "–" if it is unknown.
func Percent(share float64, known bool) string {
	switch {
	case !known:
		return "–"
	case share > 0 && share < 0.005:
		return "<1%"
	case share < 1 && share >= 0.995:
		return ">99%"
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

func ratio(part, whole int64) (float64, bool) {
	if whole == 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// check checks a view for broken pairs and problems.
func (c *CallScore) check(t *model.Thread, v *model.View, opt Options) error {
	c.Checks = Checks{Done: true, Broken: curate.BrokenPairs(t, v), Problems: map[string]int{}}
	for _, p := range opt.Providers {
		found, err := opt.Linter.Check(v, p)
		if err != nil {
			return err
		}
		c.Problems[p] = len(found)
	}
	return nil
}
