package strategy

import (
	"slices"

	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

func maskObservationsTrial() trial {
	return trial{
		plain: plainMaskObservations,
		chains: []string{
			"mask_observations(1)", "mask_observations(2)", "mask_observations(2, every=3)", "mask_observations(0)",
		},
		large: []string{"mask_observations", "mask_observations(10, every=8)"},
	}
}

func plainMaskObservations(j *judge, s *plainStage, view []msg) []msg {
	keep, every := int(s.number("keep")), max(1, int(s.number("every")))
	if every == 1 {
		s.masked = 0
	}
	var open []int
	for _, m := range view {
		if m.role == model.Tool && m.pos >= s.masked {
			open = append(open, m.pos)
		}
	}
	if len(open) >= keep+every {
		s.masked = open[len(open)-keep-1] + 1
	}
	out := slices.Clone(view)
	for i := range out {
		m := out[i]
		m.change(engine.Replace{Text: s.word("placeholder")}, "mask")
		if m.role == model.Tool && m.pos < s.masked && m.tokens < out[i].tokens {
			out[i] = m
		}
	}
	return out
}
