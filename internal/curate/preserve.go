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
	build: func(a args) (Built, error) {
		return Built{Stage: &preserve{
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
	kept   *Layer
}

func (p *preserve) Step(f *Facts, in, out *Layer) {
	if p.kept == nil {
		p.kept = NewLayer(in.Keyspace)
	}
	p.kept.Begin(in.stamp)
	p.inner.Step(f, in, p.kept)
	passthrough{}.Step(f, in, out)
}

// pinned runs a stage and puts back what is preserved.
type pinned struct {
	Stage
	pins *preserve
	mid  *Layer
}

func (p *pinned) Step(f *Facts, in, out *Layer) {
	if p.mid == nil {
		p.mid = NewLayer(in.Keyspace)
		if w, ok := p.Stage.(interface{ dropHead() }); ok && !p.pins.system {
			w.dropHead()
		}
	}
	p.mid.Begin(in.stamp)
	p.Stage.Step(f, in, p.mid)
	for _, keys := range [][]Key{in.delta, p.mid.delta, p.pins.kept.delta} {
		for _, k := range keys {
			p.decide(in, out, k)
		}
	}
}

func (p *pinned) decide(in, out *Layer, k Key) {
	mid := p.mid.items[k]
	switch {
	case in.Live(k) && p.pins.kept.Live(k):
		out.Put(k, in.items[k], 0)
	case mid.Live:
		out.Put(k, mid, mid.why)
	default:
		out.Drop(k, mid.why)
	}
}
