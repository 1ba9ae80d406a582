package catalog

import (
	"cmp"
	"slices"

	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// A Sum adds up the runs of one group.
type Sum struct {
	Name                  safe.SafeJSON
	Runs, Failed          int
	Messages, Calls       int
	ToolCalls, ToolErrors int
	Pending, Compactions  int
	Usage                 model.Usage
	Known                 Known
}

// Known reports which figures a group has. Groups by model or by tool contain only parts of runs. Usage has its
// own flags.
type Known struct {
	Whole bool // figures of whole runs: Failed, Messages, Compactions
	Calls bool // provider calls
	Tools bool // ToolCalls, ToolErrors, Pending
}

// Tokens returns the size of all prompts and replies of a group. ok is false where neither
// is recorded.
func (s *Sum) Tokens() (n int64, ok bool) { return s.Usage.Total() }

// Stats adds up rows by a name of [Groups].
type Stats struct {
	Total Sum
	by    string
	gate  *safe.Gate
	at    map[string]int
	sums  []Sum
}

// Groups returns the properties by which runs can be summed.
func Groups() []string {
	return []string{"format", "pipeline", "agent", "model", "tool", "day", "status"}
}

// NewStats returns sums by a name of [Groups].
func NewStats(by string, g *safe.Gate) *Stats {
	return &Stats{Total: Sum{Known: Known{true, true, true}}, by: by, gate: g, at: map[string]int{}}
}

// Add adds a run. When grouping by model or by tool, it adds to each group the part of the run that belongs to the
// group.
func (s *Stats) Add(r *Row) {
	s.Total.add(r)
	switch s.by {
	case "model":
		for i := range r.ByModel {
			m := &r.ByModel[i]
			sum := s.of(m.Model)
			sum.Runs++
			sum.Calls += m.Calls
			sum.Usage.Add(m.Usage)
		}
	case "tool":
		for _, t := range r.Tools {
			sum := s.of(t.Name)
			sum.Runs++
			sum.ToolCalls += t.Calls
			sum.ToolErrors += t.Failed
			sum.Pending += t.Pending
		}
	default:
		s.of(s.group(r)).add(r)
	}
}

func (s *Stats) group(r *Row) safe.SafeJSON {
	switch s.by {
	case "pipeline":
		return r.Pipeline
	case "agent":
		if r.Agent.String() == `""` {
			return s.gate.JSON(r.Format)
		}
		return r.Agent
	case "status":
		return s.gate.JSON(string(r.Status))
	case "day":
		if at, ok := r.At().At(); ok {
			return s.gate.JSON(at.Local().Format("2006-01-02"))
		}
		return s.gate.JSON("")
	}
	return s.gate.JSON(r.Format)
}

func (s *Stats) of(name safe.SafeJSON) *Sum {
	i, ok := s.at[name.String()]
	if !ok {
		i = len(s.sums)
		s.at[name.String()] = i
		s.sums = append(s.sums, Sum{Name: name, Known: s.known()})
	}
	return &s.sums[i]
}

// known returns the figures that the groups have.
func (s *Stats) known() Known {
	switch s.by {
	case "model":
		return Known{Calls: true}
	case "tool":
		return Known{Tools: true}
	}
	return s.Total.Known
}

func (sum *Sum) add(r *Row) {
	sum.Runs++
	if r.Status == model.StatusFailed {
		sum.Failed++
	}
	sum.Messages += r.Messages
	sum.Calls += r.Calls
	sum.ToolCalls += r.ToolCalls
	sum.ToolErrors += r.Errors
	sum.Pending += r.Pending
	sum.Compactions += r.Compactions
	sum.Usage.Add(r.Usage)
}

// Sums returns the groups: days in order, others by tokens, then by tool calls, then by
// runs.
func (s *Stats) Sums() []Sum {
	sums := slices.Clone(s.sums)
	tokens := func(sum Sum) int64 { n, _ := sum.Tokens(); return n }
	slices.SortStableFunc(sums, func(a, b Sum) int {
		if s.by == "day" {
			return cmp.Compare(a.Name.String(), b.Name.String())
		}
		return cmp.Or(cmp.Compare(tokens(b), tokens(a)), cmp.Compare(b.ToolCalls, a.ToolCalls), cmp.Compare(b.Runs, a.Runs))
	})
	return sums
}
