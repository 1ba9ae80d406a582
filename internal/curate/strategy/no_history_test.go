package strategy

import (
	"slices"

	"agentlens/internal/model"
)

func noHistoryTrial() trial {
	return trial{
		plain: func(_ *judge, _ *plainStage, view []msg) []msg {
			return slices.DeleteFunc(slices.Clone(view), func(m msg) bool { return m.role != model.System })
		},
		chains: []string{"no_history"},
		large:  []string{"no_history"},
	}
}
