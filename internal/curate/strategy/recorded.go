package strategy

import (
	"context"

	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

// recordedSteps is the chain with the effect of the recorded visibility of steps.
const recordedSteps = "task_steps(auto=0)"

// Recorded replays the recorded or reconstructed views of a thread, see [engine.Recorded]. Those
// of a task history follow from the recorded visibility of its steps.
func Recorded(ctx context.Context, in engine.Input) (*engine.Replayed, error) {
	if in.Thread.Template.Kind != model.TaskSection || in.Run == nil {
		return engine.Recorded(ctx, in)
	}
	c, err := Language().Parse(recordedSteps, nil)
	if err != nil {
		return nil, err
	}
	parts, err := build(ctx, in, c)
	if err != nil {
		return engine.Recorded(ctx, in) // the steps cannot be read
	}
	return engine.Restored(ctx, in, c, parts, note(in.Thread))
}

// note returns the note of the calls of a thread, which explains all its views.
func note(t *model.Thread) string {
	if len(t.Calls) > 0 {
		return t.Calls[0].Note
	}
	return t.Template.Note
}
