package linear

import (
	"agentlens/internal/curate/audit"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// findings audits the run and prints its findings, heaviest first.
func (m *mode) findings(string) {
	run := m.Labels.Run
	report, err := audit.Of(m.ctx, run, m.AuditOptions(view.TotalsOf(run, m.Config.Prices, m.Gated).USD))
	if err != nil {
		m.fail(auditFailed, err)
		return
	}
	found := view.NewAuditor(run, m.gate).Whole(report)
	if len(found.List) == 0 {
		m.say(noFindings)
	}
	for i := range found.List {
		x := &found.List[i]
		says := kit.Int(i+1) + ": "
		if x.Money != "" {
			says += x.Money + ", "
		}
		m.say("%s%s", says, x.Title)
		if x.Where != "" {
			m.say("  %s", x.Where)
		}
	}
	if found.More > 0 {
		m.say(underOnePercent, kit.Plural(found.More, moreFinding))
	}
}
