package output

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"agentlens/internal/cli/number"
	"agentlens/internal/cli/session"
	"agentlens/internal/curate/score"
	"agentlens/internal/safe"
)

// FailuresText prints a row per failed assertion, or that all assertions hold.
func FailuresText(out io.Writer, g *safe.Gate, held Checked, assertions []score.Assertion, failed []score.Failure) error {
	if len(failed) == 0 {
		_, err := fmt.Fprintf(out, "holds: %d of %d assertions at %d of %d calls\n", len(assertions), len(assertions), held.Calls, held.Of)
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range failed {
		where, value := fmt.Sprintf("call %d", f.Call), f.Show(f.Value)
		if whole := int64(f.Value); !f.Figure.Share && !f.OfWindow() && f.Value == float64(whole) {
			value = number.Group(whole)
		}
		if f.Call == 0 {
			where = "all calls"
		}
		if f.Estimated {
			value = "~" + value
		}
		if f.Unknown {
			value = "not known"
		}
		fmt.Fprintf(w, "FAILED\t%s\t%s\t%s: %s\n", g.Line(f.Text), where, f.Figure.Name, value)
	}
	return w.Flush()
}

// failureRow is a failure in lens.check/1. Call is null for an assertion about all calls. Value is null if the
// value is not recorded.
type failureRow struct {
	Assertion safe.SafeJSON `json:"assertion"`
	Figure    string        `json:"figure"`
	Call      *int          `json:"call"`
	Value     *float64      `json:"value"`
	Estimated bool          `json:"estimated"` // whether the value is an estimate
}

// FailuresJSON prints lens.check/1.
func FailuresJSON(out io.Writer, g *safe.Gate, r *session.Replay, held Checked, estimated bool, failed []score.Failure) error {
	rows := []failureRow{}
	for _, f := range failed {
		row := failureRow{Assertion: g.JSON(f.Text), Figure: f.Figure.Name, Estimated: f.Estimated}
		if f.Call > 0 {
			row.Call = &f.Call
		}
		if !f.Unknown {
			row.Value = &f.Value
		}
		rows = append(rows, row)
	}
	var strategy *safe.SafeJSON
	if r.Strategy != "" {
		name := g.JSON(r.Strategy)
		strategy = &name
	}
	return json.NewEncoder(out).Encode(struct {
		Schema    string         `json:"schema"`
		RunID     safe.SafeJSON  `json:"run_id"`
		ThreadID  safe.SafeJSON  `json:"thread_id"`
		Strategy  *safe.SafeJSON `json:"strategy"` // null: as recorded
		Calls     int            `json:"calls"`
		CallsAll  int            `json:"calls_of"`
		Estimated bool           `json:"estimated"`
		Passed    bool           `json:"passed"`
		Failures  []failureRow   `json:"failures"`
	}{"lens.check/1", g.JSON(r.Run.ID), g.JSON(r.Thread.ID), strategy, held.Calls, held.Of, estimated, len(failed) == 0, rows})
}

// Checked holds the number of checked calls and the number of all calls.
type Checked struct{ Calls, Of int }
