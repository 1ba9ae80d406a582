package curate

var preserveSpec = Spec{
	Name:    "preserve",
	Summary: "Holds for the whole chain: the last messages, with their groups, stay as they are.",
	Whose:   "CurationContext of the history manager specification",
	First:   true,
	Params: []Param{
		{Name: "last", Unit: Msgs, Default: "0", Help: "newest messages no later stage may touch; budgets give way"},
		{Name: "system", Kind: KindBool, Default: "true", Help: "false: later stages may drop the system message"},
	},
	build: func(a args) (builtStage, error) {
		return builtStage{stage: &preserve{
			system: a.boolean("system"),
			inner:  window{measure: byMessage, max: a.number("last"), align: alignBack, keepHead: a.boolean("system")},
		}}, nil
	},
}

// preserve keeps a view of what is preserved, a window of its own, and lets
// everything through itself.
type preserve struct {
	system bool
	inner  window
	kept   *layer
}

func (p *preserve) step(f *facts, in, out *layer) {
	if p.kept == nil {
		p.kept = newLayer(in.keyspace)
	}
	p.kept.begin(in.stamp)
	p.inner.step(f, in, p.kept)
	passthrough{}.step(f, in, out)
}

// pinned runs a stage and puts back what is preserved.
type pinned struct {
	stage
	pins *preserve
	mid  *layer
}

func (p *pinned) step(f *facts, in, out *layer) {
	if p.mid == nil {
		p.mid = newLayer(in.keyspace)
		if w, ok := p.stage.(interface{ dropHead() }); ok && !p.pins.system {
			w.dropHead()
		}
	}
	p.mid.begin(in.stamp)
	p.stage.step(f, in, p.mid)
	for _, keys := range [][]key{in.delta, p.mid.delta, p.pins.kept.delta} {
		for _, k := range keys {
			p.decide(in, out, k)
		}
	}
}

func (p *pinned) decide(in, out *layer, k key) {
	mid := p.mid.items[k]
	switch {
	case in.isLive(k) && p.pins.kept.isLive(k):
		out.put(k, in.items[k], 0)
	case mid.live:
		out.put(k, mid, mid.why)
	default:
		out.drop(k, mid.why)
	}
}
