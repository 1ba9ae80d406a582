package strategy

import (
	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
)

func lastTurnsRow() Row {
	return Row{
		Spec: chain.Spec{
			Name:    "last_turns",
			Summary: "From the n-th user message from the end; all of it when there are fewer.",
			Whose:   "conversation-history specification",
			Params:  []chain.Param{{Name: "n", Unit: chain.Turns, Default: "10", Help: "turns kept, counted by user messages"}},
		},
		build: func(a *args) (engine.Stage, error) {
			n := a.number("n")
			w := newWindow(a, byUser, upTo(n), "older than the last %s turns", chain.Comma(int(n)))
			w.align = onUser
			a.judge(noUserMessage)
			return w, nil
		},
	}
}
