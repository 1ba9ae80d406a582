package output

import (
	"encoding/json"
	"fmt"
	"io"

	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/linear"
)

// A whyRow is lens.why/1: the facts of the view of a call, in the order and the words of the text.
type whyRow struct {
	Schema   string        `json:"schema"`
	RunID    safe.SafeJSON `json:"run_id"`
	ThreadID safe.SafeJSON `json:"thread_id"`
	Call     int           `json:"call"`
	Facts    []factRow     `json:"facts"`
}

type factRow struct {
	Name  string        `json:"name"`
	Value safe.SafeJSON `json:"value"`
}

// WhyJSON prints an explanation as lens.why/1.
func WhyJSON(w io.Writer, g *safe.Gate, e *linear.Explanation) error {
	row := whyRow{"lens.why/1", g.JSON(e.RunID), g.JSON(e.ThreadID), e.Call, []factRow{}}
	for _, f := range e.Facts {
		if f.Value != "" {
			row.Facts = append(row.Facts, factRow{f.Key, g.JSON(kit.OneLine(f.Value))})
		}
	}
	return json.NewEncoder(w).Encode(row)
}

// WhyText prints an explanation, a fact on each line.
func WhyText(w io.Writer, g *safe.Gate, e *linear.Explanation) error {
	for _, f := range e.Facts {
		if f.Value == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "%-12s %s\n", f.Key, g.Line(kit.OneLine(f.Value))); err != nil {
			return err
		}
	}
	return nil
}
