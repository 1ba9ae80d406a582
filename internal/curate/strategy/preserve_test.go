package strategy

func preserveTrial() trial {
	return trial{
		plain: plainPreserve,
		chains: []string{
			"preserve(3) | sliding_window(2)", "preserve(last=4) | sliding_window(2)", "preserve(4) | task_steps(auto=300 tok)",
		},
		large: []string{"preserve(6) | token_budget(20k)"},
	}
}

// plainPreserve pins the newest messages with their groups.
func plainPreserve(j *judge, s *plainStage, view []msg) []msg {
	j.keepSystem = s.boolean("system")
	for _, m := range j.window(view, int(s.number("last")), "back") {
		j.pins[m.pos] = true
	}
	return view
}
