package strategy

import (
	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
)

func preserveRow() Row {
	return Row{
		Spec: chain.Spec{
			Name:    "preserve",
			Summary: "Holds for the whole chain: the last messages, with their groups, stay as they are.",
			Whose:   "CurationContext of the history manager specification",
			First:   true,
			Params: []chain.Param{
				{Name: "last", Unit: chain.Msgs, Default: "0", Help: "newest messages that later stages must not change; they override budgets"},
				{Name: "system", Kind: chain.KindBool, Default: "true", Help: "false: later stages may drop the system message"},
			},
		},
		build: func(a *args) (engine.Stage, error) {
			p := &preserve{system: a.boolean("system")}
			p.newest = window{weights: weights{measure: byMessage, dropSystem: !p.system}, room: upTo(a.number("last")), whole: true}
			return p, nil
		},
	}
}

// preserve maintains the view of preserved messages and keeps everything.
type preserve struct {
	system bool
	newest window
	kept   *engine.Layer
}

func (p *preserve) Step(f *engine.Facts, in, out *engine.Layer) {
	if p.kept == nil {
		p.kept = engine.NewLayer(in.Keyspace)
	}
	p.kept.Begin(in.Stamp())
	p.newest.Step(f, in, p.kept)
	engine.PassAll(in, out)
}

func (p *preserve) Pinned() *engine.Layer { return p.kept }

func (p *preserve) PinsSystem() bool { return p.system }
