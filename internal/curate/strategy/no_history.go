package strategy

import (
	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

func noHistoryRow() Row {
	return Row{
		Spec: chain.Spec{
			Name:    "no_history",
			Summary: "Only system messages stay; with at(steps=[…]) before it, for the steps that take no history.",
			Whose:   "flujo, FSD-033 §6 (use_history: false)",
		},
		build: func(a *args) (engine.Stage, error) {
			return &noHistory{why: a.because("this step takes no history")}, nil
		},
	}
}

// noHistory drops everything except system messages.
type noHistory struct{ why engine.Reason }

func (s *noHistory) Step(_ *engine.Facts, in, out *engine.Layer) {
	for _, k := range in.Changed() {
		if in.Live(k) && in.Role(k) == model.System {
			out.Put(k, in.At(k), engine.AsIs)
		} else {
			out.Drop(k, s.why)
		}
	}
}
