package evidence

import "agentlens/internal/curate/common"

// A weight is how much a phrase proves.
type weight uint8

const (
	nothing weight = iota
	little         // two such phrases are evidence
	enough         // evidence
)

// weigh returns what a phrase of a text proves: nothing if it is common or consists of very
// common words, and more the rarer its words are.
func weigh(p common.Phrase, text string) weight {
	points := p.Points(text, common.LevelOf)
	switch {
	case points == 0 || common.IsPhrase(p.Hash):
		return nothing
	case points < 4:
		return little
	}
	return enough
}
