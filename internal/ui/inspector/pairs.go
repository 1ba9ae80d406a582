package inspector

import (
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// pairsWord says whether a view leaves pairs of calls and results whole.
func pairsWord(s *view.Aligned) kit.Words {
	switch {
	case s.Broken > 0:
		return kit.Plural(s.Broken, "broken pair")
	case s.Chain != "" && s.Counts[model.WasDropped]+s.Counts[model.WasChanged] > 0 && s.Paired:
		return "pairs whole"
	}
	return ""
}
