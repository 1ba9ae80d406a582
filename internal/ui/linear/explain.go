package linear

import (
	"bufio"
	"context"
	"io"

	"agentlens/internal/ui/inspection"
	"agentlens/internal/ui/view"
)

// An Explanation is what the why command of the line mode says of a call.
type Explanation struct {
	RunID, ThreadID string
	Call            int // from 1; one more than Calls for the call after the record
	Calls           int // of the thread
	Facts           []view.Fact
}

// Explain explains the view of the call at which cfg opens: cfg.Call, or the last call if it is 0. Remarks about
// the choice of the thread go to notes. The explanation is nil if the run has no thread.
func Explain(ctx context.Context, cfg inspection.Config, notes io.Writer) (*Explanation, error) {
	m := &mode{State: inspection.New(&cfg), ctx: ctx, gate: cfg.Gate, out: bufio.NewWriter(notes), chain: cfg.Chain}
	defer m.out.Flush()
	if err := m.open(); err != nil || m.Shown == nil {
		return nil, err
	}
	return &Explanation{m.Labels.Run.ID, m.Thread().ID, m.Call, len(m.Thread().Calls), m.viewFacts()}, nil
}
