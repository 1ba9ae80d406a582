package curate

import (
	"slices"

	"agentlens/internal/model"
)

var repairSpec = Spec{
	Name:    "repair",
	Summary: "What providers refuse is mended: a made-up result for an unanswered call, results without an earlier call removed, neighbouring texts of one role merged; late and second results stay.",
	Whose:   "pydantic-ai",
	Last:    true,
	build: func(args) (Built, error) {
		pairs := Built{Stage: &repair{frontier: -1}, reasons: []string{"", "a result without its call in the view", "a result that stands before its call", ""}}
		merged := Built{Stage: &merge{}, reasons: []string{"", "merged into the message before, of the same role"}}
		return inSequence(pairs, merged), nil
	},
}

const (
	whyOrphan = 1 + iota
	whyEarly
	whyMadeUp
)

// interrupted is the result of a call that has none.
const interrupted = "[no result: the call was interrupted]"

// repair makes pairs whole: what has no call goes, what has no result gets one. The
// calls that the view ends with wait for their results and are left alone.
type repair struct {
	nth      int
	pairs    []int32
	said     *Set    // live messages that are no results
	frontier Key     // the assistant message whose calls are waiting, or -1
	units    []int32 // per message, the call at which its group was last decided
	made     map[Key]Item
}

func (r *repair) slot(nth int) { r.nth = nth }

// slotsAt is a slot behind an assistant message for each of its calls.
func (r *repair) slotsAt(t *model.Thread, i int) int {
	if i == 0 {
		return 0
	}
	return len(t.At(i - 1).Calls)
}

func (r *repair) Step(f *Facts, in, out *Layer) {
	if r.said == nil {
		r.pairs, r.units, r.said, r.made = pairsOf(in.Thread), make([]int32, in.Thread.Len()), NewSet(len(in.items)), map[Key]Item{}
	}
	for _, k := range in.delta {
		r.said.Remove(k)
		if in.Live(k) && in.Role(k) != model.Tool {
			r.said.Add(k)
		}
	}
	before := r.frontier
	r.frontier = r.said.Prev(int32(len(in.items) - 1))
	for _, k := range []Key{before, r.frontier} {
		if k >= 0 && before != r.frontier {
			r.decide(f, in, out, k)
		}
	}
	for _, k := range in.delta {
		r.decide(f, in, out, k)
	}
}

// decide decides about k and its whole group, once at each call.
func (r *repair) decide(f *Facts, in, out *Layer, k Key) {
	head, ok := groupOf(in, k)
	switch {
	case !ok && in.Live(k) && in.Role(k) == model.Tool:
		out.Drop(k, whyOrphan)
	case !ok:
		pass(in, out, k)
	case r.units[in.Place(head)] != in.stamp:
		r.units[in.Place(head)] = in.stamp
		r.group(f, in, out, head)
	}
}

func (r *repair) group(f *Facts, in, out *Layer, head Key) {
	g := in.Place(head)
	var calls []int
	if in.Live(head) {
		calls = callsOf(f, in, head)
	}
	pass(in, out, head)
	n := len(in.Thread.At(g).Calls)
	answered, early := make([]bool, n), make([]bool, n)
	waits := head == r.frontier // or has results that do not say which call they answer
	for _, i := range in.Thread.Members(g) {
		k, j := in.KeyOf(int(i)), r.pairs[i]
		switch {
		case k == head:
		case !in.Live(k):
			out.Drop(k, whyGone)
		case len(calls) == 0 || j >= 0 && !slices.Contains(calls, int(j)):
			out.Drop(k, whyOrphan)
		case k < head:
			out.Drop(k, whyEarly)
			if j >= 0 {
				early[j] = true
			}
		default:
			out.Put(k, in.items[k], 0)
			waits = waits || j < 0
			if j >= 0 {
				answered[j] = true
			}
		}
	}
	for j, c := range in.Thread.At(g).Calls {
		wanted := slices.Contains(calls, j) && !answered[j] && (early[j] || !waits) && !c.Server && c.ID != ""
		r.makeUp(f, in, out, g, j, wanted)
	}
}

// makeUp puts a result for call j of message g into the view, or takes it out.
func (r *repair) makeUp(f *Facts, in, out *Layer, g, j int, wanted bool) {
	at := in.Slot(g+1, r.nth+j)
	it, ok := r.made[at]
	switch {
	case !wanted && !ok:
		return
	case !wanted:
		out.Drop(at, whyGone)
		return
	case !ok:
		c := &in.Thread.At(g).Calls[j]
		in.added[at] = Addition{Role: model.Tool, Answers: &model.Answer{Message: int32(g), CallID: c.ID, ToolName: c.Name}}
		it = f.vars.add(in.Keyspace, at, Item{}, f.stage, Replace{Text: interrupted, Why: "made up: the call has no result"})
		r.made[at] = it
	}
	out.Put(at, it, whyMadeUp)
}
