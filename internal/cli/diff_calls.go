package cli

import (
	"context"
	"encoding/json"

	"agentlens/internal/cli/failure"
	"agentlens/internal/cli/output"
	"agentlens/internal/cli/session"
	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/redact"
)

// runDiffCalls compares the input of two calls of a thread.
func runDiffCalls(ctx context.Context, s *session.Session, name string, calls []string, f curateFlags) error {
	if len(calls) > 2 {
		return failure.Usage(tooManyCalls)
	}
	g, _, err := s.Gate(redact.Default)
	if err != nil {
		return err
	}
	if f.Strategy, err = s.ChainText(f.Strategy, f.file); err != nil {
		return err
	}
	f.Call = "all"
	r, err := s.Replay(ctx, g, name, f.ReplayOptions)
	if err != nil {
		return err
	}
	var views [2]*model.View
	for i, call := range calls {
		if call == "all" {
			return failure.Usage(nameTwoCalls)
		}
		n, err := r.Known(call)
		if err != nil {
			return err
		}
		views[i] = r.View(n)
	}
	row, err := export.CallDiff(g, r.Run, r.Thread, views[0], views[1], r.Strategy)
	if err != nil {
		return err
	}
	if f.json {
		err = json.NewEncoder(s.Out).Encode(row)
	} else {
		err = output.DiffCallsText(s.Out, g, r, views)
	}
	if err == nil && !row.Equal {
		err = failure.ErrFound
	}
	return err
}
