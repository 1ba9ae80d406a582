// Package score says what a chain comes to over every provider call of a thread:
// tokens sent, how much of each prompt a cache may hold, what that costs, what is
// lost, and what a provider would refuse.
//
// It must never read a file, nor call a figure 0 that is not known.
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

// A CallScore is what the view of one call comes to.
type CallScore struct {
	Number int
	// Viewed says that the view is known; else only Context and Window are.
	Viewed bool
	// Context is the size of its prompt, not known where ContextKnown is false; Window
	// that of the model's context window in tokens, 0 where it is not known.
	Context      model.Context
	ContextKnown bool
	Window       int64
	Tokens, Full int64 // of the view, and of all that was given
	Messages     int   // in the view
	engine.Flow
	Cost Money
	Loss evidence.Loss
	Checks
}

// Checks are what is found by looking at a view message by message.
type Checks struct {
	Done     bool           // it was looked at
	Broken   int            // pairs of call and result, see [curate.BrokenPairs]
	Problems map[string]int // per provider, what it would refuse
}

// Money is US dollars; not known where a price is not.
type Money struct {
	USD   float64
	Known bool
}

// String is an amount as a person reads it, an estimate: "~$0.042", and "–" where it is
// not known.
func (m Money) String() string {
	switch {
	case !m.Known:
		return "–"
	case m.USD < 1:
		return fmt.Sprintf("~$%.3f", m.USD)
	}
	return fmt.Sprintf("~$%.2f", m.USD)
}

// A Score is what all calls come to together.
type Score struct {
	Runs         int
	Calls, Of    int   // those with a known view, of all
	Sent, Full   int64 // tokens of the views, and of all that was given
	Peak         int64 // tokens of the largest view
	Prefix       int64 // tokens of the views that are as at the call before
	Messages     int   // given to some of the calls
	EverDropped  int   // those missing from the view of some call they were given to
	Cost         Money // of every call
	Loss         evidence.Loss
	Checks           // Problems counts calls
	Checked      int // calls whose views were looked at
	BrokenCalls  int // those of them whose view breaks a pair
	RefusedCalls int // those whose view breaks a pair or some provider would refuse
	Estimated    bool
}

// Options say what is looked at beside the tokens.
type Options struct {
	// Prices gives those of a model; nil knows none.
	Prices func(modelName string) models.Prices
	// Windows gives the context window at a call, in tokens; nil knows none.
	Windows func(call int) int64
	// Evidence of the thread; nil: no loss.
	Evidence *curate.Evidence
	// Linter of the thread, and the providers it is asked about; nil: views are not
	// looked at, which takes the time of calls times messages.
	Linter    *lint.Linter
	Providers []string
	// Look is how many entries of views are looked at, all views together, before
	// calls are left out evenly, as [Looked]; 0 is no limit.
	Look int
}

// Looked is how many entries of the views of a thread are looked at where somebody
// waits: about half a second's work for each chain.
const Looked = 300_000

// every is the distance of the calls that are looked at.
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

// Of scores every recorded call of a replay whose view is known; in is what was
// replayed. The calls are those, and others of which the size of the prompt is known.
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

// take adds a call.
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

// Saved is the share of the full history that was not sent; not known where there
// was none.
func (s *Score) Saved() (share float64, known bool) { return ratio(s.Full-s.Sent, s.Full) }

// PrefixKept is the share of what was sent that stood at the head of the call
// before unchanged.
func (s *Score) PrefixKept() (share float64, known bool) { return ratio(s.Prefix, s.Sent) }

// Percent is a share as a person reads it: "42%", "<1%", ">99%", and "–" where it is not
// known.
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

// check looks at a view.
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
