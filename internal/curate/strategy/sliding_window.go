package strategy

import (
	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
)

func slidingWindowRow() Row {
	return Row{
		Spec: chain.Spec{
			Name:    "sliding_window",
			Summary: "The system message and the last n messages.",
			Whose:   "history manager specification; Strands (align=back)",
			Params: []chain.Param{
				{Name: "n", Unit: chain.Msgs, Default: "40", Help: "messages kept, the system message not counted; 0 keeps the system message alone"},
				{Name: "align", Kind: chain.KindWord, Default: "drop", Words: []string{"drop", "back", "user"}, Help: "where the window cuts a group: drop its results, take the group back in, or start at the next user message"},
			},
		},
		build: func(a *args) (engine.Stage, error) {
			n := a.number("n")
			w := newWindow(a, byMessage, upTo(n), "older than the last %s messages", chain.Comma(int(n)))
			switch a.word("align") {
			case "back":
				w.whole = true
			case "user":
				w.align = onUser
				a.judge(notOnUser("align=user"))
			}
			return w, nil
		},
	}
}
