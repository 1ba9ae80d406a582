package picker

import (
	"cmp"
	"context"
	"slices"

	"agentlens/internal/curate"
	"agentlens/internal/curate/audit"
	"agentlens/internal/curate/money"
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// A finding is one finding of the audit in a preview.
type finding struct {
	cost  kit.Words // or "risk", or ""
	title safe.Safe
}

// findingsOf prepares the heaviest findings for the screen.
func findingsOf(gate *safe.Gate, found []audit.Finding) (list []finding) {
	found = slices.Clone(found)
	slices.SortStableFunc(found, func(a, b audit.Finding) int { return cmp.Compare(b.Weight, a.Weight) })
	for i := range found[:min(len(found), previewMost)] {
		f := &found[i]
		row := finding{title: gate.Line(f.Title)}
		switch {
		case f.USD != nil:
			sum := money.Sum{Amount: money.AmountOf(*f.USD), Priced: 1}
			if f.Certainty == audit.Estimated {
				sum.Priced, sum.Estimated = 0, 1
			}
			row.cost = gate.Words(sum.String())
		case f.Risk:
			row.cost = "risk"
		}
		list = append(list, row)
	}
	return list
}

// auditOptions returns the inputs of an audit of a run that costs usd dollars. It tries no
// chains: that takes longer than a preview may.
func (c *Config) auditOptions(usd float64) audit.Options {
	return audit.Options{
		Cost: func(*model.Run) float64 { return usd }, Prices: c.Prices, Windows: c.Windows.At,
		Input: func(ctx context.Context, run *model.Run, t *model.Thread) (curate.Input, error) {
			sizes, err := view.SizesAtOnce(ctx, run, t)
			return curate.Input{Run: run, Thread: t, Sizes: sizes, Texts: true, Window: c.Windows.At(run, t)(len(t.Calls) + 1).Tokens}, err
		},
	}
}
