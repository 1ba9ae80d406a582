package inspector

import (
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// pressure returns the advice on a context of used tokens if little room is left, or else the answer that the
// record holds.
func (r *inspector) pressure(used, window int64) []kit.Tag {
	tag := kit.Tag{}
	if window > 0 {
		tag = view.PressureTag(used, window)
	}
	if recorded := view.RecordedPressureTag(r.msgs.Shown); tag.Text == "" {
		tag = recorded
	}
	if tag.Text == "" || r.w < assumedFrom {
		return nil
	}
	tag.Text += " "
	return []kit.Tag{tag}
}
