package export

import (
	"regexp"

	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// CuratedRow is the HistoryCurated event of the history manager specification for one provider call. It has
// exactly the specification's fields. Null means not recorded.
type CuratedRow struct {
	PromptName    *safe.SafeJSON `json:"prompt_name"`
	OriginalCount int            `json:"original_count"`
	CuratedCount  int            `json:"curated_count"`
	Strategy      safe.SafeJSON  `json:"strategy"` // the chain in normal form
	// SessionID is the id of the run if the id is a UUID, as the specification requires.
	SessionID *safe.SafeJSON `json:"session_id"`
	// CreatedAt is the time of the call.
	CreatedAt *string `json:"created_at"`
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// Curated returns the HistoryCurated event for a call of a replayed chain.
func Curated(g *safe.Gate, run *model.Run, t *model.Thread, r *curate.Replayed, call int) CuratedRow {
	original, _ := r.Tally(call)
	curated := r.Kept(call)
	row := CuratedRow{
		PromptName: optional(g, t.Prompt), OriginalCount: original.Messages, CuratedCount: curated.Messages,
		Strategy: g.JSON(r.Chain().String()),
	}
	if uuid.MatchString(run.ID) {
		row.SessionID = optional(g, run.ID)
	}
	if call <= len(t.Calls) {
		row.CreatedAt = Stamp(t.Calls[call-1].At)
	}
	return row
}
