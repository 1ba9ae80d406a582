package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"agentlens/internal/curate"
	"agentlens/internal/curate/flujo"
	"agentlens/internal/export"
	"agentlens/internal/model"
	"agentlens/internal/safe"
)

// against prints where a simulated view differs from the recorded one, and
// where the history it renders to differs from the recorded prompt.
func (a *app) against(ctx context.Context, g *safe.Gate, r *replayed, v *model.View, f curateFlags) error {
	d, basis, err := a.compared(ctx, r, v, f)
	if err != nil {
		return err
	}
	if f.json {
		row, err := export.ComparisonRow(g, r.run, r.thread, v, r.strategy, d)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(a.out).Encode(row); err != nil {
			return err
		}
	} else {
		if f.turns == "" {
			fmt.Fprintf(a.out, "call %d: simulated %d messages, %s %d messages\n", v.Call, v.Curated.Messages, basis, d.Other.Messages)
		}
		for _, x := range d.Changes {
			fmt.Fprintf(a.out, "%s\n", g.Line(x.String()))
		}
		a.heldText(g, d.Rendered)
	}
	if !d.Equal() {
		return errFound
	}
	return nil
}

// compared holds a view to the record: message by message where the history is
// the recorded one, and as a rendered text where the record has that.
func (a *app) compared(ctx context.Context, r *replayed, v *model.View, f curateFlags) (d export.Comparison, basis model.Basis, err error) {
	in := r.in
	in.Only = 0
	rec, err := curate.Recorded(ctx, in)
	if err != nil {
		return d, basis, err
	}
	var prompt model.Ref
	if v.Call <= r.Calls() {
		prompt = r.thread.Calls[v.Call-1].Prompt
	}
	if !rec.Has(v.Call) && prompt.None() {
		return d, basis, notFound{fmt.Sprintf("call %d: not recorded, so there is nothing to hold the simulation against", v.Call)}
	}
	if f.turns == "" {
		d = export.Compare(r.thread, v, rec.View(v.Call))
	}
	if r.run.Format == "flujo" && !prompt.None() {
		if d.Rendered, err = a.held(r, v, prompt); err != nil {
			return d, basis, err
		}
		d.Changes = slices.DeleteFunc(d.Changes, func(x export.Difference) bool {
			return flujo.OneText(v) || x.Index < 0 && flujo.Beside(x.Reason)
		})
		if f.file == "" {
			fmt.Fprintf(a.err, "lens: flujo does not record the settings of a loop; %s is an assumption (@flujo: its defaults)\n", cleanLine(r.strategy))
		}
	}
	return d, rec.Basis(v.Call), nil
}

// held renders a view as flujo does and holds it against the recorded history.
func (a *app) held(r *replayed, v *model.View, prompt model.Ref) (*flujo.Held, error) {
	recorded, err := r.run.Body(prompt)
	if err != nil {
		return nil, err
	}
	rendered, err := flujo.Rendered(r.run, r.thread, v)
	if err != nil {
		return nil, err
	}
	h := flujo.Hold(recorded, rendered)
	return &h, nil
}

func (a *app) heldText(g *safe.Gate, h *flujo.Held) {
	switch {
	case h == nil:
	case h.Equal && h.Cut:
		fmt.Fprintf(a.out, "rendered history: as recorded, up to where flujo cut the record after %d characters\n", h.Compared)
	case h.Equal:
		fmt.Fprintf(a.out, "rendered history: as recorded, all %d characters\n", h.Compared)
	default:
		fmt.Fprintf(a.out, "rendered history: parts from the record after %d characters\n  record     %s\n  simulated  %s\n", h.Compared, g.PreviewPieces(h.Recorded.Text, h.Recorded.Pieces(), previewLen), g.PreviewPieces(h.Rendered.Text, h.Rendered.Pieces(), previewLen))
	}
}

// replayTurns is replay over the history as recorded, or over one rebuilt with
// other sources of turns.
func (a *app) replayTurns(ctx context.Context, g *safe.Gate, name string, f curateFlags) (*replayed, error) {
	if f.turns == "" {
		return a.replay(ctx, g, name, f)
	}
	sources, err := flujo.ParseSources(f.turns)
	if err != nil {
		return nil, usageError{"--turns: " + err.Error()}
	}
	strategy := f.strategy
	if strategy == "" {
		strategy = "passthrough"
	}
	chain, err := a.parse(strategy)
	if err != nil {
		return nil, err
	}
	run, err := a.load(ctx, name)
	if err != nil {
		return nil, err
	}
	t, err := a.thread(run, f.thread)
	if err != nil {
		return nil, err
	}
	if run, t, err = flujo.Rebuild(run, t, sources); err != nil {
		return nil, usageError{"--turns: " + err.Error()}
	}
	fmt.Fprintf(a.err, "lens: history rebuilt from recorded step results with %s: %d turns; flujo's record may hold another\n", cleanLine(sources.String()), t.Len())
	r, err := a.replayThread(ctx, g, run, t, chain, f)
	if err == nil {
		r.about = "rebuilt from step results with " + sources.String()
	}
	return r, err
}

// View is a view of the replay; its note says when the history is no recorded one.
func (r *replayed) View(call int) *model.View {
	v := r.Replayed.View(call)
	if r.about != "" {
		v.Note += ", " + r.about
	}
	return v
}

// flujoCaption says of a what-if over flujo's turns that their being sent is not recorded.
func (a *app) flujoCaption(r *replayed, v *model.View) {
	if r.run.Format == "flujo" && v.Basis == model.Simulated && v.Call <= r.Calls() && !r.thread.Calls[v.Call-1].Badges.Has(model.ConversationInjected) {
		fmt.Fprintln(a.out, "a what-if: flujo recorded these turns; that any were sent is not recorded (since October 2025 it injects none by itself)")
	}
}
