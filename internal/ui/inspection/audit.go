package inspection

import (
	"context"
	"maps"

	"agentlens/internal/curate"
	"agentlens/internal/curate/audit"
	"agentlens/internal/curate/models"
	"agentlens/internal/model"
	"agentlens/internal/ui/view"
)

// AuditOptions returns the inputs of an audit of the run, which costs usd dollars. Tokens that are
// counted already are not counted again.
func (s *State) AuditOptions(usd float64) audit.Options {
	windows, counted := s.windows(), maps.Clone(s.Sizes)
	opt := audit.Options{
		Cost:    func(*model.Run) float64 { return usd },
		Prices:  s.Config.Prices,
		Windows: windows.At, Evidence: s.Judge.Evidence,
		Input: func(ctx context.Context, run *model.Run, t *model.Thread) (curate.Input, error) {
			sizes, err := counted[t], error(nil)
			if sizes == nil || !sizes.Counted() {
				sizes, err = view.SizesAtOnce(ctx, run, t)
			}
			return curate.Input{Run: run, Thread: t, Sizes: sizes, Texts: true, Window: windows.At(run, t)(len(t.Calls) + 1).Tokens}, err
		},
	}
	if opt.Prices == nil {
		opt.Prices = func(string) models.Prices { return models.Prices{} }
	}
	for _, p := range append(curate.Presets(), s.Config.Presets...) {
		if chain, err := curate.ParseWith(p.Chain, s.Config.Presets); err == nil && len(chain.Programs()) == 0 {
			opt.Candidates = append(opt.Candidates, audit.Candidate{Name: p.Name, Chain: chain})
		}
	}
	return opt
}
