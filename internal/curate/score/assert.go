package score

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentlens/internal/curate/lint"
)

// An Assertion is a condition on a figure, such as tokens<=50k, problems==0 or loss<5%.
type Assertion struct {
	Text   string // as given by the user
	Figure Figure
	op     string
	bound  float64
	share  bool // the bound is a share; for figures in tokens, a share of the window
}

// A Figure is a number that can be asserted.
type Figure struct {
	Name, Help string
	// Share is set if the figure is a share, entered and shown in percent.
	Share bool
	// Counted is set if the figure depends on token counts, which can be estimates.
	Counted bool
	// OfWindow is set if the figure covers the whole prompt. A bound in percent is then a
	// share of the context window. Other figures in tokens reject bounds in percent.
	OfWindow bool
	// Looks is set if the figure requires a check of the views: see [Options.Linter].
	Looks bool
	// Of returns the figure of one call, and Sum that of all calls; one of them is nil. The
	// value is meaningless if known is false.
	Of  func(c *CallScore) (value float64, known bool)
	Sum func(s *Score) (value float64, known bool)
}

// Figures returns all figures: those of each call, then the totals.
func Figures() []Figure {
	figures := []Figure{
		{Name: "tokens", Counted: true, Help: "of the view", Of: func(c *CallScore) (float64, bool) { return float64(c.Tokens), true }},
		{Name: "context", OfWindow: true, Help: "tokens of the prompt, what is beside the messages counted; of the window with %", Of: func(c *CallScore) (float64, bool) { return float64(c.Context.Tokens), c.ContextKnown }},
		{Name: "messages", Help: "in the view", Of: func(c *CallScore) (float64, bool) { return float64(c.Messages), true }},
		{Name: "dropped", Help: "messages given that are not in the view", Of: func(c *CallScore) (float64, bool) { return float64(c.Dropped), true }},
		{Name: "saved", Counted: true, Share: true, Help: "share of the history's tokens that is not sent", Of: func(c *CallScore) (float64, bool) { return ratio(c.Full-c.Tokens, c.Full) }},
		{Name: "prefix", Counted: true, Share: true, Help: "share of the view that is as at the call before", Of: func(c *CallScore) (float64, bool) {
			share, known := ratio(c.Prefix, c.Tokens)
			return share, known && c.Number > 1 // the first call has no previous view
		}},
		{Name: "loss", Share: true, Help: "share of what the reply needed and the view has not", Of: func(c *CallScore) (float64, bool) { return c.Loss.Share() }},
		{Name: "broken", Looks: true, Help: "pairs of call and result of which the view has one", Of: func(c *CallScore) (float64, bool) { return float64(c.Broken), c.Done }},
		{Name: "problems", Looks: true, Help: "findings of all providers' rules", Of: func(c *CallScore) (float64, bool) {
			n := 0
			for _, found := range c.Problems {
				n += found
			}
			return float64(n), c.Done
		}},
	}
	for _, p := range lint.Providers() {
		figures = append(figures, Figure{Name: "problems." + p, Looks: true, Help: "findings of its rules", Of: func(c *CallScore) (float64, bool) { return float64(c.Problems[p]), c.Done }})
	}
	return append(figures,
		Figure{Name: "sum.tokens", Counted: true, Help: "of all views", Sum: func(s *Score) (float64, bool) { return float64(s.Sent), s.Calls > 0 }},
		Figure{Name: "sum.saved", Counted: true, Share: true, Help: "share of all histories' tokens that is not sent", Sum: (*Score).Saved},
		Figure{Name: "sum.prefix", Counted: true, Share: true, Help: "share of all views that is as at the call before", Sum: (*Score).PrefixKept},
		Figure{Name: "sum.loss", Share: true, Help: "share of what all replies needed and their views have not", Sum: func(s *Score) (float64, bool) { return s.Loss.Share() }},
		Figure{Name: "sum.cost", Counted: true, Help: "of all prompts, in US dollars", Sum: func(s *Score) (float64, bool) { return s.Cost.USD, s.Cost.Known }},
	)
}

// operators lists each operator before its prefixes.
var operators = []string{"<=", ">=", "==", "!=", "<", ">"}

// OfWindow reports whether the bound is a share of the context window.
func (a Assertion) OfWindow() bool { return a.share && a.Figure.OfWindow }

// ParseAssertion parses a name, an operator and a bound. A bound in tokens accepts k and M.
// A share accepts %; without it, the bound is a fraction of one.
func ParseAssertion(text string) (Assertion, error) {
	at := strings.IndexAny(text, "<>=!")
	if at < 0 {
		return Assertion{}, fmt.Errorf("%q has no operator: want a figure, one of %s, and a number, such as tokens<=50k", text, strings.Join(operators, " "))
	}
	a := Assertion{Text: text}
	name := strings.TrimSpace(text[:at])
	figures := Figures()
	i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == name })
	if i < 0 {
		var names []string
		for _, f := range figures {
			names = append(names, f.Name)
		}
		return a, fmt.Errorf("%q: there is no figure %q: want %s", text, name, strings.Join(names, ", "))
	}
	a.Figure = figures[i]
	for _, op := range operators {
		if strings.HasPrefix(text[at:], op) {
			a.op = op
			break
		}
	}
	if a.op == "" {
		return a, fmt.Errorf("%q: there is no operator %q: want one of %s", text, text[at:at+1], strings.Join(operators, " "))
	}
	given := strings.TrimSpace(text[at+len(a.op):])
	a.share = a.Figure.Share || strings.HasSuffix(given, "%")
	if a.share && a.Figure.Name == "tokens" {
		return a, fmt.Errorf("%q: tokens are those of the messages; a share of the context window is asked of context: context%s", text, text[at:])
	}
	var ok bool
	if a.bound, ok = bound(given, a.Figure.Share || a.share && a.Figure.OfWindow); !ok {
		return a, fmt.Errorf("%q: %q is no number: want 50000, 50k, 1.5M, or of a share 5%%", text, given)
	}
	return a, nil
}

func bound(text string, share bool) (float64, bool) {
	times := 1.0
	for _, unit := range []struct {
		end   string
		times float64
		share bool
	}{{"%", 0.01, true}, {"k", 1e3, false}, {"K", 1e3, false}, {"M", 1e6, false}} {
		if number, ok := strings.CutSuffix(text, unit.end); ok {
			if unit.share != share {
				return 0, false
			}
			text, times = number, unit.times
			break
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return n * times, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// Holds reports whether a value meets the assertion.
func (a Assertion) Holds(value float64) bool {
	const near = 1e-9 // shares and dollars are sums of fractions
	equal := math.Abs(value-a.bound) <= near
	switch a.op {
	case "<=":
		return value < a.bound || equal
	case ">=":
		return value > a.bound || equal
	case "<":
		return value < a.bound && !equal
	case ">":
		return value > a.bound && !equal
	case "==":
		return equal
	}
	return !equal
}

// Show formats a value of the figure for people.
func (a Assertion) Show(value float64) string {
	switch {
	case a.share:
		return strconv.FormatFloat(math.Round(value*1000)/10, 'f', -1, 64) + "%"
	case value != math.Trunc(value):
		return strconv.FormatFloat(value, 'f', 4, 64)
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// A Failure reports where an assertion does not hold.
type Failure struct {
	Assertion
	Call  int // 0 for all calls together
	Value float64
	// Unknown is set if the figure is not recorded, Estimated if it depends on estimated
	// counts.
	Unknown, Estimated bool
}

// Failures returns the places where assertions fail, ordered by assertion. An assertion
// about a share of nothing always holds, such as one about the loss of a reply that cites
// nothing. If the view of a call is not known, only figures of its whole prompt are
// checked.
func Failures(assertions []Assertion, s *Score, calls []CallScore) []Failure {
	var failed []Failure
	for _, a := range assertions {
		if a.Figure.Sum != nil {
			if value, known := a.Figure.Sum(s); !known || !a.Holds(value) {
				failed = append(failed, Failure{a, 0, value, !known, s.Estimated && a.Figure.Counted})
			}
			continue
		}
		for i := range calls {
			c := &calls[i]
			if !c.Viewed && !a.Figure.OfWindow {
				continue
			}
			value, known := a.of(c)
			if !known && a.Figure.Share {
				continue
			}
			if !known || !a.Holds(value) {
				about := s.Estimated && a.Figure.Counted || a.Figure.OfWindow && !c.Context.Counted
				failed = append(failed, Failure{a, c.Number, value, !known, about})
			}
		}
	}
	return failed
}

// of returns the figure of a call in the unit of the bound.
func (a Assertion) of(c *CallScore) (value float64, known bool) {
	value, known = a.Figure.Of(c)
	if !a.OfWindow() {
		return value, known
	}
	return value / float64(max(c.Window, 1)), known && c.Window > 0
}
