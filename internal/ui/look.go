package ui

import (
	"agentlens/internal/model"
	"agentlens/internal/ui/timeline"
)

// badgeStyles are the styles of the badges that are not plain dim ones.
var badgeStyles = map[model.Badge]style{
	model.ConversationInjected: injected,
	model.ConversationRecorded: dim,
	model.Injected:             injected,
	model.Changed:              changed,
	model.Dropped:              dropped,
	model.Summary:              added,
	model.Pending:              failure,
	model.ErrorBadge:           failure,
	model.Reconstructed:        marker,
}

func badgeTag(b model.Badge) tag {
	st, ok := badgeStyles[b]
	if !ok {
		st = dim
	}
	return tag{"‹" + words(b.String()) + "›", st}
}

var roleStyles = [...]style{model.System: roleSystem, model.User: roleUser, model.Assistant: roleAssistant, model.Tool: roleTool}

// Widths of the columns of a row.
const (
	tokenCells  = 6
	roleCells   = 9
	narrowPane  = 58 // below it roles are short
	minTextRoom = 14
)

// basisWords says how the view is known.
func basisWords(v *shown) tag {
	switch {
	case v.failed:
		return tag{"the chain failed", failure}
	case v.view.External:
		return tag{"external", added}
	case v.whatIf:
		return tag{"not recorded — what-if", changed}
	case v.view.Basis == model.Recorded:
		return tag{"recorded", roleUser}
	case v.view.Basis == model.Derived:
		return tag{"reconstructed", marker}
	case v.view.Basis == model.Simulated:
		return tag{"simulated", added}
	}
	return tag{words(v.view.Basis.String()), dim}
}

var kindStyles = [timeline.Kinds]style{roleSystem, roleUser, roleAssistant, roleTool, injected}
