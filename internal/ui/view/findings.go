package view

import (
	"cmp"
	"slices"

	"agentlens/internal/curate/audit"
	"agentlens/internal/curate/money"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
)

// A Finding is a finding of the audit as the screen shows it.
type Finding struct {
	Sign   kit.Words
	Style  kit.Style // of the sign
	Money  kit.Words // its cost, or "risk"
	Title  safe.Safe
	Where  kit.Words // "calls 34, 36 · messages 5, 30"
	Place  kit.Words // where its jump goes: "call 36" or "message 5", or ""
	Thread int       // index in the run
	// Call is the call to jump to, or 0 for the call that is shown; Message is the index of the message,
	// or -1.
	Call, Message int
}

// Audited is the result of an audit, or the part that is known so far. It is read-only.
type Audited struct {
	List []Finding
	More int // findings under one percent of the cost, not in List
	Done bool
	// Needs are the needs of each thread.
	Needs map[*model.Thread]*Needs
}

// signsOf are the signs of the kinds of findings.
var signsOf = map[string]struct {
	sign kit.Words
	st   kit.Style
}{
	audit.InstructionLost: {"⚠", kit.Warning},
	audit.NeededLater:     {"⚠", kit.Warning},
	audit.UnrecordedEdit:  {"▽", kit.Failure},
	audit.BeginsMidway:    {"…", kit.Marker},
	audit.RefusedView:     {"✗", kit.Failure},
	audit.FailedCall:      {"✗", kit.Failure},
	audit.CacheBreak:      {"!", kit.CacheBroken},
	audit.Compaction:      {"▼", kit.Marker},
	audit.LargeMessage:    {"█", kit.RoleTool},
	audit.RepeatedCall:    {"=", kit.RoleTool},
	audit.UnusedResult:    {"○", kit.RoleTool},
	audit.Saving:          {"+", kit.Kept},
}

// An Auditor makes the findings of an audit ready for the screen.
type Auditor struct {
	Run   *model.Run
	Gate  *safe.Gate
	index map[*model.Thread]int
}

// NewAuditor returns an auditor of a run.
func NewAuditor(run *model.Run, gate *safe.Gate) *Auditor {
	a := &Auditor{run, gate, map[*model.Thread]int{}}
	for i, t := range run.Threads {
		a.index[t] = i
	}
	return a
}

// Partly returns the findings so far, heaviest first. It does not keep found.
func (a *Auditor) Partly(found []audit.Finding) *Audited {
	list := slices.Clone(found)
	slices.SortStableFunc(list, func(x, y audit.Finding) int { return cmp.Compare(y.Weight, x.Weight) })
	return &Audited{List: a.rows(list)}
}

// Whole returns the findings of a report.
func (a *Auditor) Whole(r *audit.Report) *Audited {
	major := r.Major()
	return &Audited{List: a.rows(major), More: len(r.Findings) - len(major), Done: true, Needs: needsOf(r)}
}

func (a *Auditor) rows(list []audit.Finding) (rows []Finding) {
	for i := range list {
		rows = append(rows, a.row(&list[i]))
	}
	return rows
}

func (a *Auditor) row(f *audit.Finding) Finding {
	row := Finding{Title: a.Gate.Line(f.Title), Thread: a.index[f.Thread], Message: -1, Sign: "·", Style: kit.Dim}
	if s, ok := signsOf[f.Kind]; ok {
		row.Sign, row.Style = s.sign, s.st
	}
	switch {
	case f.USD != nil:
		sum := money.Sum{Amount: money.AmountOf(*f.USD), Priced: 1}
		if f.Certainty == audit.Estimated {
			sum.Priced, sum.Estimated = 0, 1
		}
		row.Money = a.Gate.Words(sum.String())
	case f.Risk:
		row.Money = "risk"
	}
	row.Where = a.where(f)
	if len(f.Calls) > 0 {
		row.Call = f.Calls[0]
	}
	if len(f.Evidence) > 0 {
		e := &f.Evidence[0]
		if e.Call > 0 {
			row.Call = e.Call
		}
		for _, at := range [...]model.Maybe{e.NeededBy, e.Message} {
			if i, ok := at.Get(); ok && row.Message < 0 {
				row.Message = i
			}
		}
	}
	if row.Message < 0 && len(f.Messages) > 0 {
		row.Message = f.Messages[0]
	}
	switch {
	case row.Call > 0:
		row.Place = "call " + kit.Int(row.Call)
	case row.Message >= 0:
		row.Place = "message " + kit.Int(row.Message+1)
	}
	return row
}

// where lists the calls and the messages of a finding.
func (a *Auditor) where(f *audit.Finding) kit.Words {
	var calls, messages kit.Words
	if n := len(f.Calls); n > 0 {
		calls = "call" + plural(n) + " " + a.Gate.Words(Ranges(slices.Clone(f.Calls)))
	}
	if n := len(f.Messages); n > 0 {
		list := slices.Clone(f.Messages)
		for i := range list {
			list[i]++
		}
		messages = "message" + plural(n) + " " + a.Gate.Words(Ranges(list))
	}
	if calls != "" && messages != "" {
		calls += " · "
	}
	return calls + messages
}

func plural(n int) kit.Words {
	if n == 1 {
		return ""
	}
	return "s"
}

// needsOf returns the uses of dropped messages that a report proves.
func needsOf(r *audit.Report) map[*model.Thread]*Needs {
	lists := map[*model.Thread][]Need{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Kind != audit.NeededLater && f.Kind != audit.InstructionLost {
			continue
		}
		for _, e := range f.Evidence {
			message, ok := e.Message.Get()
			reply, by := e.NeededBy.Get()
			if ok && by {
				lists[f.Thread] = append(lists[f.Thread], Need{message, reply, e.Call, f.Kind == audit.InstructionLost})
			}
		}
	}
	needs := map[*model.Thread]*Needs{}
	for t, list := range lists {
		needs[t] = NewNeeds(list)
	}
	return needs
}
