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

// A stage turns the view before it into the view after it, call by call. It is
// told what changed in its input (in.delta) and writes to out what changes there.
type stage interface {
	step(f *facts, in, out *layer)
}

// facts is what a stage may know at a call: nothing later than it.
type facts struct {
	number int
	call   *model.Call // nil for the call after the record
	given  int         // leading messages given
	vars   *variants
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
	stages []builtStage
	space  *keyspace
	vars   *variants
	basis  model.Basis

	fed    int     // leading messages in the first layer, -1 when they are no prefix
	heads  []int32 // newest event of each key, -1 for none
	events []event
	given  []int32
	tally  []model.Tally // (stages+1) per call
	breaks []key         // where the prefix broke, -1 for nowhere

	looking sync.Mutex // held while a view is read off
}

type builtStage struct {
	stage
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

func replay(ctx context.Context, in Input, chain Chain, built []builtStage, basis model.Basis) (*Replayed, error) {
	r := &Replayed{
		in: in, chain: chain, stages: built, basis: basis, space: layOut(in.Thread, built),
		vars: &variants{list: make([]variant, 1), size: sizer{run: in.Run, sizes: in.Sizes, read: in.Texts}, mask: in.Mask, unmasked: in.Unmasked},
	}
	r.heads = slices.Repeat([]int32{-1}, r.space.size())
	layers := make([]*layer, len(built)+1)
	for i := range layers {
		layers[i] = newLayer(r.space)
	}
	calls := len(in.Thread.Calls)
	r.events = make([]event, 0, 2*r.space.size())
	r.given = make([]int32, 0, calls+1)
	r.breaks = make([]key, 0, calls+1)
	r.tally = make([]model.Tally, 0, (calls+1)*len(layers))
	f := new(facts)
	for n := 1; n <= calls+1; n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if r.vars.size.err != nil || in.Only > 0 && n > in.Only {
			break
		}
		*f = facts{number: n, given: in.Thread.Len(), vars: r.vars, ctx: ctx, runner: in.Runner, replayed: r}
		if n <= calls {
			f.call = &in.Thread.Calls[n-1]
			f.given = f.call.Given
		}
		r.step(f, layers)
	}
	return r, r.vars.size.err
}

// An inserter is a stage that adds messages: it is told the first of its slots,
// the same at every place.
type inserter interface{ slot(nth int) }

// inserterOf finds the inserter in a stage that may be wrapped.
func inserterOf(s stage) (inserter, bool) {
	switch s := s.(type) {
	case *pinned:
		return inserterOf(s.stage)
	case *recounted:
		return inserterOf(s.stage)
	case *sequence:
		return inserterOf(s.first)
	}
	ins, ok := s.(inserter)
	return ins, ok
}

// layOut gives every stage its slots. A stage has one at each place unless it says
// how many: a fixed number, or, being the last stage, a number for each place.
func layOut(t *model.Thread, built []builtStage) *keyspace {
	fixed := 0
	varying := func(int) int { return 0 }
	for i := range built {
		ins, ok := inserterOf(built[i].stage)
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
func (r *Replayed) step(f *facts, layers []*layer) {
	final := layers[len(layers)-1]
	lastBefore := final.last()
	for _, l := range layers {
		l.begin(int32(f.number))
	}
	r.feed(f, layers[0])
	for s := range r.stages {
		f.stage = s
		r.stages[s].step(f, layers[s], layers[s+1])
	}
	r.given = append(r.given, int32(f.given))
	for _, l := range layers {
		r.tally = append(r.tally, l.tally())
	}
	first := key(-1)
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
func (r *Replayed) feed(f *facts, l *layer) {
	if f.call != nil && f.call.GivenList != nil {
		r.feedList(f.call.GivenList, l)
		r.fed = -1
		return
	}
	from := r.fed
	if from < 0 { // the call before was given no prefix
		from = 0
		for k := l.first(); k >= 0; k = l.next(k) {
			if r.space.message(k) >= f.given {
				l.drop(k, whyGone)
			}
		}
	}
	for i := from; i < f.given; i++ {
		l.put(r.space.ofMessage(i), item{tokens: r.in.Sizes.Tokens[i]}, 0)
	}
	for i := f.given; i < from; i++ {
		l.drop(r.space.ofMessage(i), whyGone)
	}
	r.fed = f.given
}

func (r *Replayed) feedList(list []int32, l *layer) {
	want := make(map[key]bool, len(list))
	for _, i := range list {
		k := r.space.ofMessage(int(i))
		want[k] = true
		l.put(k, item{tokens: r.in.Sizes.Tokens[i]}, 0)
	}
	for k := l.first(); k >= 0; k = l.next(k) {
		if !want[k] {
			l.drop(k, whyGone)
		}
	}
}

// note writes down what became of every key that changed in any layer.
func (r *Replayed) note(f *facts, layers []*layer) {
	for i, l := range layers {
		for _, k := range l.delta {
			if i > 0 && layers[i-1].items[k].stamp == l.stamp {
				continue // noted with the layer before
			}
			r.record(f, layers, k)
		}
	}
}

func (r *Replayed) record(f *facts, layers []*layer, k key) {
	e := r.fate(layers, k)
	e.call, e.prev = int32(f.number), r.heads[k]
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
func (r *Replayed) fate(layers []*layer, k key) event {
	born := 0
	for born < len(layers) && !layers[born].isLive(k) {
		born++
	}
	if born == len(layers) || born > 0 && r.space.isMessage(k) {
		return event{gone: true, stage: -1}
	}
	e := event{fate: model.Kept, stage: -1, variant: layers[born].items[k].variant, tokens: layers[born].items[k].tokens}
	if born > 0 {
		e.fate, e.stage, e.why = model.Added, int8(born-1), layers[born].items[k].why
	}
	for s := born; s < len(r.stages); s++ {
		out := layers[s+1].items[k]
		switch {
		case !out.live && e.fate == model.Added:
			return event{gone: true, fate: model.WasDropped, stage: int8(s), why: out.why, variant: e.variant}
		case !out.live:
			return event{fate: model.WasDropped, stage: int8(s), why: out.why, tokens: e.tokens, variant: e.variant}
		case out.variant != e.variant:
			if e.fate != model.Added {
				e.fate, e.stage, e.why = model.WasChanged, int8(s), out.why
			}
			e.variant = out.variant
		}
		e.tokens = out.tokens
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
