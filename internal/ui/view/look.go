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
	return kit.Tag{Text: "‹" + badgeName(b) + "›", St: st}
}

// badgeNames are the names of badges that differ on the screen from those in JSON.
var badgeNames = map[model.Badge]kit.Words{model.Sealed: "encrypted"}

func badgeName(b model.Badge) kit.Words {
	if name, ok := badgeNames[b]; ok {
		return name
	}
	return safe.Name(b)
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

// BasisWords returns the tag of the basis of a view. Its words are those of [model.Basis.Label].
func BasisWords(v *Aligned) kit.Tag {
	switch {
	case v.failed:
		return kit.Tag{Text: chainFailed, St: kit.Failure}
	case v.View.External:
		return kit.Tag{Text: "external", St: kit.Added}
	case v.midway():
		return kit.Tag{Text: notRecordedMidway, St: kit.Failure}
	}
	b, w := v.View.Basis, v.Thread.WitnessedAt(v.Call)
	if v.WhatIf {
		b = model.NotRecorded
	}
	st := basisStyles[b]
	if w == model.Contradicted && (b == model.NotRecorded || b == model.Derived) {
		st = kit.Failure
	}
	return kit.Tag{Text: safe.Name(labelOf(b, w)), St: st}
}

// A label is the basis of a view and the verdict on it.
type label uint8

func labelOf(b model.Basis, w model.Witnessed) label { return label(b)<<4 | label(w) }

func (l label) String() string { return model.Basis(l >> 4).Label(model.Witnessed(l & 15)) }

var basisStyles = [...]kit.Style{model.NotRecorded: kit.Changed, model.Recorded: kit.RoleUser, model.Derived: kit.Dim, model.Simulated: kit.Added}

// SentWords returns the name of the prompt of a view: "sent at call 35".
func SentWords(v *Aligned) kit.Words {
	if v == nil || v.RecordedCall() == nil || v.View.Basis == model.Simulated && !v.WhatIf {
		return wouldBeSent
	}
	return sentAtCall + kit.Int(v.Call)
}

// SentCount returns what was sent: "12 messages", or "2 texts with 7 messages" where the history was sent as text.
func (s *Aligned) SentCount() kit.Words {
	n := s.View.Curated.Messages
	if s.View.Form != model.TextForm {
		return kit.Plural(n, "message")
	}
	count := kit.Plural(n, "text")
	if in := s.Counts[model.Kept] + s.Counts[model.WasChanged]; in > 0 {
		count += " with " + kit.Plural(in, "message")
	}
	return count
}

// ChangeWords counts what a view changes: "22 dropped · 1 changed".
func (s *Aligned) ChangeWords() kit.Words {
	var parts []kit.Words
	for _, f := range [...]model.Fate{model.WasDropped, model.WasChanged, model.Added} {
		if n := s.Counts[f]; n > 0 {
			parts = append(parts, kit.Int(n)+" "+safe.Name(f))
		}
	}
	if len(parts) == 0 && s.View != nil && s.View.Form == model.TextForm {
		return nothingDropped // the text may still differ from the recorded one
	}
	if len(parts) == 0 {
		return strategyChangesNothing
	}
	return safe.Join(parts, " · ")
}
