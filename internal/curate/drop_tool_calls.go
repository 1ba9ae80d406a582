package curate

import (
	"slices"

	"agentlens/internal/model"
)

func dropToolCallsRow() Row {
	return Row{
		Spec: Spec{
			Name:    "drop_tool_calls",
			Summary: "Drops calls and results, pair by pair, but those the newest messages make or answer; texts stay.",
			Whose:   "Vercel AI SDK pruneMessages, Mastra ToolCallFilter",
			Params: []Param{
				{Name: "before_last", Unit: Msgs, Default: "1", Help: "newest messages whose calls and results stay; 0: none do"},
				{Name: "tools", Kind: KindList, Help: "tools whose calls are dropped; without it all"},
			},
		},
		build: func(a *args) (Stage, error) {
			n := int(a.number("before_last"))
			why := "before the last " + Comma(n) + " messages"
			d := &dropCalls{keep: n}
			d.tools, d.listed = a.given("tools")
			d.sieve = sieve{rule: d, callsDropped: why, dropped: a.because("tool calls and results %s are dropped", why)}
			return d, nil
		},
	}
}

// dropCalls drops pairs that are wholly before an edge.
type dropCalls struct {
	sieve
	keep   int
	tools  []string
	listed bool
	recent *recent
}

func (d *dropCalls) Step(f *Facts, in, out *Layer) {
	d.start(in)
	if d.recent == nil {
		d.recent = newRecent(in.Size())
	}
	for _, k := range in.Changed() {
		d.recent.mark(k, in.Live(k))
	}
	before := d.recent.edge
	d.recent.slide(d.keep)
	for _, k := range in.Changed() {
		d.decide(f, in, out, k)
	}
	d.recent.between(before, d.recent.edge, func(k Key) { d.decide(f, in, out, k) })
}

func (d *dropCalls) wanted(tool string) bool { return d.listed && !slices.Contains(d.tools, tool) }

func (d *dropCalls) call(_ *Layer, m *model.Message, j int, newest Key) bool {
	return newest >= d.recent.edge || m.Calls[j].Server || d.wanted(m.Calls[j].Name)
}

// message is asked about results that answer no call of the view, too.
func (d *dropCalls) message(_ *Facts, in *Layer, k Key) bool {
	return in.Role(k) != model.Tool || k >= d.recent.edge || d.wanted(in.Thread.At(in.Place(k)).ToolName)
}
