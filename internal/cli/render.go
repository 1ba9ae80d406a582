package cli

import (
	"context"
	"fmt"
	"strings"

	"agentlens/internal/export"
	"agentlens/internal/redact"
)

// curateRendered prints a view as the one text that a prompt holds of it.
func (a *app) curateRendered(ctx context.Context, name string, f curateFlags) error {
	x, err := export.RenderingNamed(f.render)
	if err != nil {
		return usageError{"--render " + err.Error()}
	}
	if f.as != "" || f.against != "" || f.json || f.events || f.call == "all" {
		return usageError{"--render prints the text of one view, and goes with none of --as, --against, --json, --events and --call all"}
	}
	if f.strategy == "" {
		f.strategy = x.Chain
		fmt.Fprintf(a.err, "lens: with %s; --strategy takes another chain\n", x.Chain)
	}
	g, _, err := a.gate(redact.Default)
	if err != nil {
		return err
	}
	r, err := a.replayTurns(ctx, g, name, f)
	if err != nil {
		return err
	}
	n, err := callNumber(f.call, r.Calls())
	if err != nil {
		return err
	}
	text, err := x.Render(g, r.run, r.thread, r.View(n))
	if err != nil {
		return notFound{err.Error()}
	}
	end := ""
	if !strings.HasSuffix(text.String(), "\n") {
		end = "\n"
	}
	_, err = fmt.Fprint(a.out, text, end)
	return err
}
