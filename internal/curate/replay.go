package curate

import (
	"context"
	"slices"
	"sync"

	"agentlens/internal/model"
)

// Input is what a replay runs over.
type Input struct {
	Run    *model.Run
	Thread *model.Thread
	Sizes  *Sizes
	// Texts allows texts to be read, so that what a stage makes is counted and
	// not estimated. It needs sizes that are [Sizes.Counted].
	Texts bool
	// Window is the size of the model's context window in tokens, 0 when unknown.
	Window int64
	// Runner runs the programs a chain names; nil: such a chain is an error.
	Runner Runner
	// Mask takes secrets out of what programs are given and of what is cut out of
	// texts; nil: there are none. Unmasked gives programs the texts as they are.
	Mask     Mask
	Unmasked bool
	// Only is the one call whose view will be asked for, 0 for any: programs are
	// run for no more calls than that view needs.
	Only int

	ctx context.Context // of the replay
}

// A Stage turns the view before it into the view after it, call by call. It is
// told what changed in its input (in.delta) and writes to out what changes there.
type Stage interface {
	Step(f *Facts, in, out *Layer)
}

// Facts is what a stage may know at a call: nothing later than it.
type Facts struct {
	Number int
	Call   *model.Call // nil for the call after the record
	Given  int         // leading messages given
	vars   *Contents
	stage  int
	ctx    context.Context
	runner Runner
	// replayed is for edits that are applied when a view is looked at.
	replayed *Replayed
}

// why codes are per stage: 0 is "dead in the input".
const whyGone = 0

// An event is a change of what became of the message at a key.
type event struct {
	call    int32
	prev    int32 // the event before it of the same key, or -1
	variant int32
	tokens  int32
	why     uint16
	stage   int8 // the stage that did it, -1 for none
	fate    model.Fate
	gone    bool // an added message that left again
}

// Replayed is a chain run over every provider call of a thread.
type Replayed struct {
	in     Input
	chain  Chain
	stages []Built
	space  *Keyspace
	vars   *Contents
	basis  model.Basis

	fed    int     // leading messages in the first layer, -1 when they are no prefix
	heads  []int32 // newest event of each key, -1 for none
	events []event
	given  []int32
	tally  []model.Tally // (stages+1) per call
	breaks []Key         // where the prefix broke, -1 for nowhere

	looking sync.Mutex // held while a view is read off
}

type Built struct {
	Stage
	name    string // normal form, as entries name it
	reasons []string
	problem func(v *model.View) []model.Problem
}

// Replay runs chain over every provider call of in.Thread, and over the next
// one after the record.
func Replay(ctx context.Context, in Input, chain Chain) (*Replayed, error) {
	in.ctx = ctx
	built, err := chain.build(in)
	if err != nil {
		return nil, err
	}
	return replay(ctx, in, chain, built, model.Simulated)
}

func replay(ctx context.Context, in Input, chain Chain, built []Built, basis model.Basis) (*Replayed, error) {
	r := &Replayed{
		in: in, chain: chain, stages: built, basis: basis, space: layOut(in.Thread, built),
		vars: &Contents{list: make([]Variant, 1), size: sizer{run: in.Run, sizes: in.Sizes, read: in.Texts}, mask: in.Mask, unmasked: in.Unmasked},
	}
	r.heads = slices.Repeat([]int32{-1}, r.space.Size())
	layers := make([]*Layer, len(built)+1)
	for i := range layers {
		layers[i] = NewLayer(r.space)
	}
	calls := len(in.Thread.Calls)
	r.events = make([]event, 0, 2*r.space.Size())
	r.given = make([]int32, 0, calls+1)
	r.breaks = make([]Key, 0, calls+1)
	r.tally = make([]model.Tally, 0, (calls+1)*len(layers))
	f := new(Facts)
	for n := 1; n <= calls+1; n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if r.vars.size.err != nil || in.Only > 0 && n > in.Only {
			break
		}
		*f = Facts{Number: n, Given: in.Thread.Len(), vars: r.vars, ctx: ctx, runner: in.Runner, replayed: r}
		if n <= calls {
			f.Call = &in.Thread.Calls[n-1]
			f.Given = f.Call.Given
		}
		r.Step(f, layers)
	}
	return r, r.vars.size.err
}

// An inserter is a stage that adds messages: it is told the first of its slots,
// the same at every place.
type inserter interface{ slot(nth int) }

// inserterOf finds the inserter in a stage that may be wrapped.
func inserterOf(s Stage) (inserter, bool) {
	switch s := s.(type) {
	case *pinned:
		return inserterOf(s.Stage)
	case *recounted:
		return inserterOf(s.Stage)
	case *sequence:
		return inserterOf(s.first)
	}
	ins, ok := s.(inserter)
	return ins, ok
}

// layOut gives every stage its slots. A stage has one at each place unless it says
// how many: a fixed number, or, being the last stage, a number for each place.
func layOut(t *model.Thread, built []Built) *Keyspace {
	fixed := 0
	varying := func(int) int { return 0 }
	for i := range built {
		ins, ok := inserterOf(built[i].Stage)
		if !ok {
			continue
		}
		ins.slot(fixed)
		switch ins := ins.(type) {
		case interface{ slots() int }:
			fixed += ins.slots()
		case interface {
			slotsAt(t *model.Thread, i int) int
		}:
			varying = func(i int) int { return ins.slotsAt(t, i) }
		default:
			fixed++
		}
	}
	return newKeyspace(t, func(i int) int { return fixed + varying(i) })
}

// step runs one call through all layers.
func (r *Replayed) Step(f *Facts, layers []*Layer) {
	final := layers[len(layers)-1]
	lastBefore := final.Last()
	for _, l := range layers {
		l.Begin(int32(f.Number))
	}
	r.feed(f, layers[0])
	for s := range r.stages {
		f.stage = s
		r.stages[s].Step(f, layers[s], layers[s+1])
	}
	r.given = append(r.given, int32(f.Given))
	for _, l := range layers {
		r.tally = append(r.tally, l.tally())
	}
	first := Key(-1)
	for _, k := range final.delta {
		if first < 0 || k < first {
			first = k
		}
	}
	if first > lastBefore {
		first = -1
	}
	r.breaks = append(r.breaks, first)
	r.note(f, layers)
}

// feed gives the first layer the messages that are new at this call.
func (r *Replayed) feed(f *Facts, l *Layer) {
	if f.Call != nil && f.Call.GivenList != nil {
		r.feedList(f.Call.GivenList, l)
		r.fed = -1
		return
	}
	from := r.fed
	if from < 0 { // the call before was given no prefix
		from = 0
		for k := l.First(); k >= 0; k = l.Next(k) {
			if r.space.Place(k) >= f.Given {
				l.Drop(k, whyGone)
			}
		}
	}
	for i := from; i < f.Given; i++ {
		l.Put(r.space.KeyOf(i), Item{Tokens: r.in.Sizes.Tokens[i]}, 0)
	}
	for i := f.Given; i < from; i++ {
		l.Drop(r.space.KeyOf(i), whyGone)
	}
	r.fed = f.Given
}

func (r *Replayed) feedList(list []int32, l *Layer) {
	want := make(map[Key]bool, len(list))
	for _, i := range list {
		k := r.space.KeyOf(int(i))
		want[k] = true
		l.Put(k, Item{Tokens: r.in.Sizes.Tokens[i]}, 0)
	}
	for k := l.First(); k >= 0; k = l.Next(k) {
		if !want[k] {
			l.Drop(k, whyGone)
		}
	}
}

// note writes down what became of every key that changed in any layer.
func (r *Replayed) note(f *Facts, layers []*Layer) {
	for i, l := range layers {
		for _, k := range l.delta {
			if i > 0 && layers[i-1].items[k].stamp == l.stamp {
				continue // noted with the layer before
			}
			r.record(f, layers, k)
		}
	}
}

func (r *Replayed) record(f *Facts, layers []*Layer, k Key) {
	e := r.fate(layers, k)
	e.call, e.prev = int32(f.Number), r.heads[k]
	if e.prev < 0 && e.gone && e.stage < 0 {
		return
	}
	if e.prev >= 0 {
		old := r.events[e.prev]
		if old.fate == e.fate && old.variant == e.variant && old.why == e.why && old.stage == e.stage && old.gone == e.gone {
			return
		}
	}
	r.events = append(r.events, e)
	r.heads[k] = int32(len(r.events) - 1)
}

// fate follows one key through the layers.
func (r *Replayed) fate(layers []*Layer, k Key) event {
	born := 0
	for born < len(layers) && !layers[born].Live(k) {
		born++
	}
	if born == len(layers) || born > 0 && r.space.IsMessage(k) {
		return event{gone: true, stage: -1}
	}
	e := event{fate: model.Kept, stage: -1, variant: layers[born].items[k].Variant, tokens: layers[born].items[k].Tokens}
	if born > 0 {
		e.fate, e.stage, e.why = model.Added, int8(born-1), layers[born].items[k].why
	}
	for s := born; s < len(r.stages); s++ {
		out := layers[s+1].items[k]
		switch {
		case !out.Live && e.fate == model.Added:
			return event{gone: true, fate: model.WasDropped, stage: int8(s), why: out.why, variant: e.variant}
		case !out.Live:
			return event{fate: model.WasDropped, stage: int8(s), why: out.why, tokens: e.tokens, variant: e.variant}
		case out.Variant != e.variant:
			if e.fate != model.Added {
				e.fate, e.stage, e.why = model.WasChanged, int8(s), out.why
			}
			e.variant = out.Variant
		}
		e.tokens = out.Tokens
	}
	return e
}

// Calls is the number of recorded provider calls; Calls()+1 is the next one.
func (r *Replayed) Calls() int { return len(r.in.Thread.Calls) }

// Chain is the chain that was run.
func (r *Replayed) Chain() Chain { return r.chain }

// Tally returns the messages and tokens given at a call and those of its view.
func (r *Replayed) Tally(call int) (original, curated model.Tally) {
	per := len(r.stages) + 1
	row := r.tally[(call-1)*per : call*per]
	return row[0], row[per-1]
}
