package view

import (
	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
)

// badgeStyles are the styles of badges. Other badges are dim.
var badgeStyles = map[model.Badge]kit.Style{
	model.ConversationInjected: kit.Injected,
	model.ConversationRecorded: kit.Dim,
	model.Injected:             kit.Injected,
	model.Changed:              kit.Changed,
	model.Dropped:              kit.Dropped,
	model.Summary:              kit.Added,
	model.Pending:              kit.Failure,
	model.ErrorBadge:           kit.Failure,
	model.Reconstructed:        kit.Marker,
}

// BadgeTag returns the tag of a badge.
func BadgeTag(b model.Badge) kit.Tag {
	st, ok := badgeStyles[b]
	if !ok {
		st = kit.Dim
	}
	return kit.Tag{Text: "‹" + safe.Name(b) + "›", St: st}
}

// badgeForms are the forms of long badges, longest first. A shorter form is never only a piece of
// the text.
var badgeForms = map[model.Badge][]kit.Words{
	model.ConversationInjected: {"‹conversation injected›", "‹injected›"},
	model.ConversationRecorded: {"‹conversation recorded, injection not recorded›", "‹injection not recorded›", "‹turns recorded›"},
}

// BadgeTagIn returns the longest form of a badge that fits into room cells. ok is false if none
// does.
func BadgeTagIn(b model.Badge, room int) (tag kit.Tag, ok bool) {
	tag = BadgeTag(b)
	for _, form := range append([]kit.Words{tag.Text}, badgeForms[b]...) {
		if text.Width(string(form)) <= room {
			tag.Text = form
			return tag, true
		}
	}
	return tag, false
}

// RoleStyles maps roles to styles.
var RoleStyles = [...]kit.Style{model.System: kit.RoleSystem, model.User: kit.RoleUser, model.Assistant: kit.RoleAssistant, model.Tool: kit.RoleTool}

// Widths of the columns of a row, in cells.
const (
	TokenCells  = 6
	RoleCells   = 9
	NarrowPane  = 58 // narrower panes abbreviate roles
	MinTextRoom = 14
)

// BasisWords returns the tag of the basis of a view.
func BasisWords(v *Aligned) kit.Tag {
	switch {
	case v.failed:
		return kit.Tag{Text: "the chain failed", St: kit.Failure}
	case v.View.External:
		return kit.Tag{Text: "external", St: kit.Added}
	case v.midway():
		return kit.Tag{Text: "not recorded: begins mid-way", St: kit.Failure}
	case v.WhatIf:
		return assumedWords[v.Thread.WitnessedAt(v.Call)]
	case v.View.Basis == model.Recorded:
		return kit.Tag{Text: "recorded", St: kit.RoleUser}
	case v.View.Basis == model.Derived:
		return derivedWords[v.Thread.WitnessedAt(v.Call)]
	case v.View.Basis == model.Simulated:
		return kit.Tag{Text: "simulated", St: kit.Added}
	}
	return kit.Tag{Text: safe.Name(v.View.Basis), St: kit.Dim}
}

// derivedWords are the tags of reconstructed views by the verdict of the provider's counts.
var derivedWords = [...]kit.Tag{
	model.NotWitnessed: {Text: "reconstructed", St: kit.Marker},
	model.Confirmed:    {Text: "reconstructed, confirmed", St: kit.Marker},
	model.Contradicted: {Text: "reconstructed, contradicted", St: kit.Failure},
}

// assumedWords are the tags of the full history that is shown where the record does not say what
// was sent, by the verdict of the provider's counts.
var assumedWords = [...]kit.Tag{
	model.NotWitnessed: {Text: "assumed: full history", St: kit.Changed},
	model.Confirmed:    {Text: "assumed: full history, counts agree", St: kit.Changed},
	model.Contradicted: {Text: "assumed: full history, counts differ", St: kit.Failure},
}

// SentWords returns the name of the prompt of a view: "sent at call 35".
func SentWords(v *Aligned) kit.Words {
	if v == nil || v.RecordedCall() == nil || v.View.Basis == model.Simulated && !v.WhatIf {
		return "would be sent"
	}
	return "sent at call " + kit.Int(v.Call)
}
