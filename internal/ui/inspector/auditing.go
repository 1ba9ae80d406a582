package inspector

import (
	"context"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate/audit"
	"agentlens/internal/library/filter"
	"agentlens/internal/safe"
	"agentlens/internal/ui/inspection"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/layout"
	"agentlens/internal/ui/screens/findings"
	"agentlens/internal/ui/view"
)

// This file audits the run in a job and walks the findings.

// An auditing is the audit of one run.
type auditing struct {
	labels  *view.Labels
	running bool
	percent atomic.Int32
	partly  atomic.Pointer[view.Audited]
	whole   *view.Audited
	failed  safe.Safe
	at      int // the finding visited last, or -1
	landing bool
	docked  docked
}

// docked holds the most recent layout of the docked findings.
type docked struct {
	of                  *view.Audited
	width, rows, thread int
	lines               []findings.Line
}

// foundEvery is the minimum time between two updates of the findings during an audit.
const foundEvery = 150 * time.Millisecond

// auditNow audits the run once all of it is read, its totals are known and the thread is counted.
func (r *inspector) auditNow() tea.Cmd {
	if r.Labels == nil || r.Labels.Run.Partial || r.counting != nil || !r.totals.Known || r.jobs.Running(totalsJob) {
		return nil
	}
	a := r.audit
	if a.labels == r.Labels {
		return nil
	}
	next := &auditing{labels: r.Labels, running: true, whole: a.whole, at: a.at, landing: a.landing}
	r.audit = next
	run, opt, auditor := r.Labels.Run, r.AuditOptions(r.totals.USD), view.NewAuditor(r.Labels.Run, r.cfg.Gate)
	var last time.Time
	opt.Progress = func(done, all int, found []audit.Finding) {
		next.percent.Store(int32(100 * done / max(all, 1)))
		if now := time.Now(); now.Sub(last) >= foundEvery {
			last = now
			next.partly.Store(auditor.Partly(found))
		}
	}
	return tea.Batch(r.tickLater(), r.jobs.Start(auditJob, func(ctx context.Context) func() tea.Cmd {
		report, err := audit.Of(ctx, run, opt)
		var whole *view.Audited
		if err == nil {
			whole = auditor.Whole(report)
		}
		return func() tea.Cmd {
			next.running = false
			if err != nil {
				next.failed = r.cfg.Gate.Line(kit.OneLine(err.Error()))
				return nil
			}
			next.whole = whole
			r.takeNeeds()
			return nil
		}
	}))
}

// takeNeeds passes the needs of the shown thread to the panes.
func (r *inspector) takeNeeds() {
	needs := &view.Needs{}
	if r.msgs.Shown == nil {
		return
	}
	if r.audit.whole != nil && r.audit.labels == r.Labels {
		if n := r.audit.whole.Needs[r.msgs.Shown.Thread]; n != nil {
			needs = n
		}
	}
	if r.msgs.Shown.Chain != "" { // the audit is of the recorded views
		needs = r.lossesShown().Needs()
	}
	if r.msgs.Needs != needs && r.filter.Now().Needs()&filter.Losses != 0 {
		r.filter.Stale = true
	}
	r.msgs.Needs = needs
	if r.Replays != nil {
		r.tree.Bars(r.Replays.Bars, needs)
	}
}

// found returns the findings that are known so far.
func (r *inspector) found() findings.State {
	a := r.audit
	s := findings.State{Found: a.whole, Totals: safe.Join(r.totals.List(), " · "), Failed: a.failed, Thread: r.ThreadIndex, Chained: r.chain.Wanted() != ""}
	switch {
	case a.running:
		s.Progress = "auditing " + kit.Int(int(a.percent.Load())) + "%"
		if p := a.partly.Load(); p != nil {
			s.Found = p
		}
	case a.labels == nil:
		s.Progress = waitingForRun
	}
	return s
}

// withFindings puts the number of findings before the hints of a screen without room to dock them,
// until the cursor moves.
func (r *inspector) withFindings(hints []kit.Hint) []kit.Hint {
	if !r.landed() || r.lay.Preview.W > 0 || r.audit.running || r.audit.whole == nil || len(r.audit.whole.List) == 0 {
		return hints
	}
	found := kit.Hint{Key: "0:", Does: safe.Plural(len(r.audit.whole.List), "finding")}
	return append([]kit.Hint{found}, hints...)
}

// landed reports whether the findings are shown in place of the preview: until the cursor moves.
func (r *inspector) landed() bool { return r.audit.landing }

// listsFindings reports whether a small screen has a list of findings, too: until the cursor moves, unless there are none.
func (r *inspector) listsFindings() bool {
	a := r.audit
	return r.landed() && a.failed.String() == "" && (a.whole == nil || len(a.whole.List) > 0)
}

// A findingRow is a line of the docked findings.
type findingRow struct {
	line findings.Line
	nth  int
	here bool
}

func (f *findingRow) paint(l *kit.LineWriter) { f.line.Paint(l, f.here) }

// findingRows lays out the docked findings.
func (r *inspector) findingRows(width, rows int) (list []findingRow) {
	s, d := r.found(), &r.audit.docked
	if d.of != s.Found || d.width != width || d.rows != rows || d.thread != s.Thread || s.Found == nil {
		*d = docked{s.Found, width, rows, s.Thread, findings.Dock(s, width, rows)}
	}
	for _, line := range d.lines {
		list = append(list, findingRow{line, line.Nth, line.Nth >= 0 && line.Nth == r.audit.at})
	}
	return list
}

// openFindings opens the page of findings.
func (r *inspector) openFindings() { r.Push(findings.New(r.found, r.audit.at)) }

func (r *inspector) noFindings() kit.Words {
	if why := r.NoView(); why != "" {
		return why
	}
	if s := r.found(); s.Found == nil || len(s.Found.List) == 0 {
		if s.Progress != "" {
			return noFindingsYet + s.Progress
		}
		return auditFoundNone
	}
	return ""
}

// nextFinding goes to the next finding in direction d and wraps at the ends.
func (r *inspector) nextFinding(d int) tea.Cmd {
	n := len(r.found().Found.List)
	at := r.audit.at
	if at < 0 && d < 0 {
		at = 0
	}
	return r.goFinding(((at+d)%n + n) % n)
}

// goFinding goes to the call and the message of finding i.
func (r *inspector) goFinding(i int) tea.Cmd {
	s := r.found()
	if s.Found == nil || i >= len(s.Found.List) {
		return nil
	}
	x := s.Found.List[i]
	r.audit.at, r.audit.landing = i, false
	to := inspection.Spot{Thread: x.Thread, Call: x.Call, Message: x.Message}
	if to.Call == 0 {
		to.Call = r.Call
		if to.Thread != r.ThreadIndex {
			to.Call = max(len(r.Labels.Run.Threads[to.Thread].Calls), 1)
		}
	}
	r.leaveSpot()
	if r.focus == layout.Threads {
		r.toPane(layout.History)
	}
	from := r.ThreadIndex
	cmd := r.toSpot(to)
	if r.note = ""; from != to.Thread {
		r.note = r.Labels.InThread(to.Thread) + " · "
	}
	r.note += "finding " + kit.Int(i+1) + " of " + kit.Int(len(s.Found.List)) + ": "
	r.noteText, r.notesFinding = x.Brief, true
	if x.Chain != "" || x.Since > 0 {
		r.note = "finding " + kit.Int(i+1) + " of " + kit.Int(len(s.Found.List)) + zeroEnter + x.Opens + "): "
	}
	if t := r.Labels.Run.Threads[to.Thread]; x.Kind == audit.CacheBreak && view.CountedBreaks(t).Has(to.Call) { // the worst of the finding
		r.note += view.CountedBreaks(t).Words(t, to.Call, r.events.Breaks(r.Labels.Run), to.Thread, r.cfg.Prices, r.Gated)
		r.noteText = safe.Safe{}
	}
	return cmd
}

// openFinding goes to finding i and opens what it is about, above the page of findings.
func (r *inspector) openFinding(i int) tea.Cmd {
	s := r.found()
	if s.Found == nil || i >= len(s.Found.List) {
		return nil
	}
	x, cmd := s.Found.List[i], r.goFinding(i)
	if x.Chain == "" && x.Since == 0 {
		return cmd
	}
	r.note, r.noteText = "", safe.Safe{}
	r.then = func() tea.Cmd {
		if x.Chain != "" {
			return r.openCompare(x.Chain)
		}
		return r.listNeeded(lostSince+kit.Int(x.Since), x.Since, r.openInfo)
	}
	return tea.Batch(cmd, r.thenOpen())
}

// thenOpen opens what waits for the view of the selected thread.
func (r *inspector) thenOpen() tea.Cmd {
	if r.then == nil || r.msgs.Shown == nil || r.msgs.Shown.Thread != r.Thread() {
		return nil
	}
	open := r.then
	r.then = nil
	return open()
}
