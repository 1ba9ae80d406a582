package strategy

import (
	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
)

func passthroughRow() Row {
	return Row{
		Spec: chain.Spec{
			Name:    "passthrough",
			Summary: "Everything, as it is.",
			Whose:   "history manager specification",
		},
		build: func(*args) (engine.Stage, error) { return passthrough{}, nil },
	}
}

type passthrough struct{}

func (passthrough) Step(_ *engine.Facts, in, out *engine.Layer) { engine.PassAll(in, out) }
