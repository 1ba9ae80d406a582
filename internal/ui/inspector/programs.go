package inspector

import (
	"agentlens/internal/curate"
)

// programs is what the programs of a chain are run with.
func (r *inspector) programs() curate.Input {
	return curate.Input{Runner: r.cfg.Runner, Mask: r.cfg.Mask, Unmasked: r.cfg.Unmasked}
}
