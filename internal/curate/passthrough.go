package curate

var passthroughSpec = Spec{
	Name:    "passthrough",
	Summary: "Everything, as it is.",
	Whose:   "history manager specification",
	build:   func(args) (Built, error) { return Built{Stage: passthrough{}}, nil },
}

type passthrough struct{}

func (passthrough) Step(_ *Facts, in, out *Layer) {
	for _, k := range in.delta {
		pass(in, out, k)
	}
}

// pass lets k through as it is.
func pass(in, out *Layer, k Key) {
	if it := in.items[k]; it.Live {
		out.Put(k, it, 0)
	} else {
		out.Drop(k, whyGone)
	}
}
