package inspector

import (
	"strings"

	"agentlens/internal/curate"
	"agentlens/internal/ui/kit"
)

// programs is what the programs of a chain are run with.
func (r *inspector) programs() curate.Input {
	return curate.Input{Runner: r.cfg.Runner, Mask: r.cfg.Mask, Unmasked: r.cfg.Unmasked}
}

// release puts a chain that waited for enter in force: while it is being typed, its
// program would be run half written.
func (c *chainLine) release() (reform bool) {
	if c.held == "" {
		return false
	}
	c.good, c.held = c.held, ""
	return true
}

// heldHint says what the chain waits for.
func (c *chainLine) heldHint(l *kit.LineWriter) {
	l.Words(kit.Repeat(" ", len(chainLabel)), kit.Plain)
	l.Words("enter", kit.KeyCap)
	l.Words("  runs ", kit.Dim)
	chain, err := curate.Parse(c.held)
	if err != nil {
		return
	}
	var names []string
	for _, p := range chain.Programs() {
		names = append(names, p.Command)
	}
	l.Words(c.gated(strings.Join(names, ", ")), kit.Changed)
}
