package strategy

func compactTurnsTrial() trial {
	return trial{
		plain: plainCompact,
		chains: []string{
			"compact_turns(4, keep=2)", "compact_turns(3, keep=1)", "compact_turns(3, keep=1, max_chars=900)", "compact_turns(6, role=user)", "compact_turns(4, keep=2, once=true)",
		},
		large: []string{"compact_turns", "compact_turns(once=true)"},
		grows: true,
	}
}
