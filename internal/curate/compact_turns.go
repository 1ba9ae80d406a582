package curate

func compactTurnsRow() Row {
	return Row{
		Spec: Spec{
			Name:     "compact_turns",
			Summary:  "When there are more than trigger turns, everything before the last keep turns becomes one summary.",
			Whose:    "conversation-history specification",
			Stateful: true,
			Params: []Param{
				{Name: "trigger", Unit: Turns, Default: "10", Help: "user messages above which it acts"},
				{Name: "keep", Unit: Turns, Default: "3", Help: "turns that stay whole"},
				{Name: "max_chars", Unit: Chars, Default: "50k", Help: "characters of text and arguments above which it acts too; 0: never"},
				SourceParam("extractive"),
				roleParam("system", "role of the summary"),
			},
		},
		build: func(a *args) (Stage, error) {
			over := []limit{{Turns, a.number("trigger")}}
			if n := a.number("max_chars"); n > 0 {
				over = append(over, limit{Chars, n})
			}
			return newCompaction(a, over, limit{Turns, max(1, a.number("keep"))})
		},
	}
}
