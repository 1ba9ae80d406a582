package output

import (
	"fmt"
	"io"

	"agentlens/internal/cli/failure"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// PrintDocument prints all parts of a run's document, redacted.
func PrintDocument(out io.Writer, g *safe.Gate, run *model.Run, name string) error {
	for _, d := range run.Documents {
		if d.Name != name {
			continue
		}
		for _, ref := range append([]model.Ref{d.Body}, d.More...) {
			text, err := run.Body(ref)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintln(out, g.Text(text)); err != nil {
				return err
			}
		}
		return nil
	}
	return failure.Usagef("run %s has no document %q: lens show … --json lists them", run.ID, name)
}
