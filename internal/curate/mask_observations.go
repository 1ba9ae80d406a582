package curate

import "agentlens/internal/model"

func maskObservationsRow() Row {
	return Row{
		Spec: Spec{
			Name:     "mask_observations",
			Summary:  "Replaces all but the newest tool results by a mask; every > 1 moves the cut in steps, which keeps the prompt cache longer.",
			Whose:    "JetBrains (observation masking), OpenHands",
			Stateful: true,
			Params: []Param{
				{Name: "keep", Unit: CallsU, Default: "10", Help: "newest tool results that stay"},
				{Name: "every", Unit: CallsU, Default: "1", Help: "results that must have come beyond keep before the cut moves"},
				{Name: "placeholder", Kind: KindWord, Default: `"[masked]"`, Help: "what stands in place of a result"},
			},
		},
		build: func(a *args) (Stage, error) {
			keep := int(a.number("keep"))
			return &mask{
				keep: keep, every: max(1, int(a.number("every"))),
				edit: Replace{Text: a.word("placeholder"), Why: "masked: not among the newest " + Comma(keep) + " tool results"},
			}, nil
		},
	}
}

// mask hides old tool results behind a cut.
type mask struct {
	keep, every int
	edit        Replace
	results     *recent
	memo        Memo
}

func (m *mask) Step(f *Facts, in, out *Layer) {
	if m.results == nil {
		m.results = newRecent(in.Size())
	}
	for _, k := range in.Changed() {
		m.results.mark(k, in.Live(k) && in.Role(k) == model.Tool)
	}
	before := m.results.edge
	switch {
	case m.every == 1:
		m.results.slide(m.keep)
	case m.results.n >= m.keep+m.every:
		m.results.forward(m.keep)
	}
	m.results.between(before, m.results.edge, func(k Key) { m.decide(f, in, out, k) })
	for _, k := range in.Changed() {
		m.decide(f, in, out, k)
	}
}

func (m *mask) decide(f *Facts, in, out *Layer, k Key) {
	if k < m.results.edge && m.results.marked.Has(k) {
		if it := m.memo.Edit(f, in, k, m.edit); it.Tokens < in.At(k).Tokens {
			out.Put(k, it, ByEdit)
			return
		}
	}
	Pass(in, out, k)
}
