package strategy

import (
	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
)

func truncateTurnsRow() Row {
	return Row{
		Spec: chain.Spec{
			Name:    "truncate_turns",
			Summary: "The last max turns of speech; a group of calls and results is one.",
			Whose:   "flujo",
			Params: []chain.Param{
				{Name: "max", Unit: chain.Texts, Default: "20", Help: "texts kept; less than one counts as one"},
				{Name: "pin_first", Kind: chain.KindBool, Default: "false", Help: "keep the first text too, uncounted"},
			},
		},
		build: func(a *args) (engine.Stage, error) {
			n := max(1, a.number("max"))
			w := newWindow(a, byUnit, upTo(n), "older than the last %s texts", chain.Comma(int(n)))
			if a.boolean("pin_first") {
				w.pinFirst()
			}
			return w, nil
		},
	}
}
