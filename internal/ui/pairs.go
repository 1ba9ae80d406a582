package ui

import "agentlens/internal/model"

// pairsWord says whether a view leaves pairs of calls and results whole.
func pairsWord(s *shown) words {
	switch {
	case s.broken > 0:
		return plural(s.broken, "broken pair")
	case s.chain != "" && s.counts[model.WasDropped]+s.counts[model.WasChanged] > 0 && s.paired:
		return "pairs whole"
	}
	return ""
}
