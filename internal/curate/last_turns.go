package curate

func lastTurnsRow() Row {
	return Row{
		Spec: Spec{
			Name:    "last_turns",
			Summary: "From the n-th user message from the end; all of it when there are fewer.",
			Whose:   "conversation-history specification",
			Params:  []Param{{Name: "n", Unit: Turns, Default: "10", Help: "turns kept, counted by user messages"}},
		},
		build: func(a *args) (Stage, error) {
			n := a.number("n")
			w := newWindow(a, byUser, upTo(n), "older than the last %s turns", Comma(int(n)))
			w.align = onUser
			a.judge(noUserMessage)
			return w, nil
		},
	}
}
