package picker

import (
	"context"

	"agentlens/internal/curate"
	"agentlens/internal/curate/audit"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// paintFinding paints one finding of the audit.
func paintFinding(l *kit.LineWriter, f *view.Finding) {
	l.Blank(8 - text.Width(string(f.Money)))
	st := kit.Title
	if f.Money == "risk" {
		st = kit.Warning
	}
	l.Words(f.Money+" ", st)
	l.Words(f.Sign+" ", f.Style)
	l.Safe(f.Title, kit.Plain)
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
