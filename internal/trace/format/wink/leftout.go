package wink

import (
	"slices"
	"strings"

	"agentlens/internal/model"
)

// leftOut adds a warning that explains why a session has no conversation.
func (l *loader) leftOut(s *snapshot, first int) {
	if l.hasTranscript || len(l.threads) > first {
		return
	}
	var absent []string
	for _, class := range s.logTypes() {
		if s.count(class) == 0 {
			absent = append(absent, class)
		}
	}
	slices.Sort(absent)
	switch {
	case len(absent) > 0:
		l.Note(model.WarnNotIncluded, s.place, "no conversation: the log slices %s are registered and not in the file. A snapshot leaves them out unless it is asked for all; a slice that holds nothing is not written either", strings.Join(absent, ", "))
	case !s.top.Has("tags"):
		l.Note(model.WarnNoConversation, s.place, "no conversation: the snapshot is of a release before v0.12 and holds no prompt or tool event")
	default:
		l.Note(model.WarnNoConversation, s.place, "no slice of the snapshot holds messages, prompts or tool events")
	}
}
