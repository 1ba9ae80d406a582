package help

import (
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// Signs explains the signs on the screen.
func Signs() Group {
	return Group{Name: "signs", Rows: []Row{
		{Key: "│", Help: "sent as the history has it"},
		{Key: "┆", Help: "assumed to be sent: the record does not say"},
		{Key: "~", Help: "changed for this call; before a number: an estimate"},
		{Key: "−", Help: "dropped before this call"},
		{Key: "∅", Help: "not given at this call"},
		{Key: "+", Help: "added to the prompt"},
		{Key: "·", Help: "later than this call"},
		{Key: "?", Help: "not recorded whether it was sent"},
		{Key: "⚠", Help: "a later reply needed it; at a reply: it needed what was no longer sent"},
		{Key: "=", Help: "the same on both sides"},
		{Key: "→", Help: "a tool call"},
		{Key: "✗ ✓", Help: "failed; succeeded"},
		{Key: "▼ ▽", Help: "compaction; the prompt shrank and the record does not say why"},
		{Key: "!", Help: "the prompt cache broke"},
		{Key: "◆ ▲", Help: "the call that is shown"},
		{Key: "*", Help: "at the level of a step: the chain sets it"},
		{Key: "$ ≈$ ~$", Help: "recorded cost; recorded usage at list prices; estimated"},
	}}
}

// Bases explains the words for where the view of a call comes from.
func Bases() Group {
	return Group{Name: "views", Rows: []Row{
		{Key: "recorded", Help: "the record contains the request"},
		{Key: "reconstructed", Help: "follows from the recorded messages and changes of the context"},
		{Key: "confirmed", Help: "and the provider's token counts agree"},
		{Key: "contradicted", Help: "but the provider counted fewer tokens from some call on: something was removed that the record does not show; i at the call says which"},
		{Key: "assumed", Help: "the record does not say what was sent: the full history"},
		{Key: "would be sent", Help: "what the strategy would have sent"},
		{Key: "not in the record", Help: "tokens that were counted and that no recorded text explains"},
	}}
}

// Badges explains the badges of messages.
func Badges(gated func(string) kit.Words) Group {
	g := Group{Name: "badges"}
	for _, b := range model.AllBadges() {
		g.Rows = append(g.Rows, Row{Key: view.BadgeTag(b).Text, Help: gated(b.Help())})
	}
	return g
}
