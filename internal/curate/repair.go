package curate

import (
	"slices"

	"agentlens/internal/model"
)

func repairRow() Row {
	return Row{
		Spec: Spec{
			Name:    "repair",
			Summary: "What providers refuse is mended: a made-up result for an unanswered call, results without an earlier call removed, neighbouring texts of one role merged; late and second results stay.",
			Whose:   "pydantic-ai",
			Last:    true,
		},
		build: func(a *args) (Stage, error) {
			pairs := &repair{frontier: -1, orphan: a.because("a result without its call in the view"), early: a.because("a result that stands before its call")}
			return InSequence(pairs, &merge{merged: a.because("merged into the message before, of the same role")}), nil
		},
	}
}

// interrupted is the result of a call that has none.
const interrupted = "[no result: the call was interrupted]"

// repair makes pairs whole: what has no call goes, what has no result gets one. The
// calls that the view ends with wait for their results and are left alone.
type repair struct {
	orphan, early Reason // of a result without a call, and of one before its call
	first         int    // slot
	pairs         []int32
	said          *Set    // live messages that are no results
	frontier      Key     // the assistant message whose calls are waiting, or -1
	units         []int32 // per message, the call at which its group was last decided
	made          map[Key]Item
}

// UseSlots implements [Inserter].
func (r *repair) UseSlots(first int) { r.first = first }

// Slots returns a slot after an assistant message for each of its calls.
func (r *repair) Slots(t *model.Thread, i int) int {
	if i == 0 {
		return 0
	}
	return len(t.At(i - 1).Calls)
}

func (r *repair) Step(f *Facts, in, out *Layer) {
	if r.said == nil {
		r.pairs, r.units, r.said, r.made = PairsOf(in.Thread), make([]int32, in.Thread.Len()), NewSet(in.Size()), map[Key]Item{}
	}
	for _, k := range in.Changed() {
		r.said.Remove(k)
		if in.Live(k) && in.Role(k) != model.Tool {
			r.said.Add(k)
		}
	}
	before := r.frontier
	r.frontier = r.said.Prev(int32(in.Size() - 1))
	for _, k := range []Key{before, r.frontier} {
		if k >= 0 && before != r.frontier {
			r.decide(f, in, out, k)
		}
	}
	for _, k := range in.Changed() {
		r.decide(f, in, out, k)
	}
}

// decide decides about k and its whole group, once at each call.
func (r *repair) decide(f *Facts, in, out *Layer, k Key) {
	head, ok := in.GroupHead(k)
	switch {
	case !ok && in.Live(k) && in.Role(k) == model.Tool:
		out.Drop(k, r.orphan)
	case !ok:
		Pass(in, out, k)
	case r.units[in.Place(head)] != in.Stamp():
		r.units[in.Place(head)] = in.Stamp()
		r.group(f, in, out, head)
	}
}

func (r *repair) group(f *Facts, in, out *Layer, head Key) {
	g := in.Place(head)
	var calls []int
	if in.Live(head) {
		calls = f.CallsLeft(head, in.At(head))
	}
	Pass(in, out, head)
	n := len(in.Thread.At(g).Calls)
	answered, early := make([]bool, n), make([]bool, n)
	waits := head == r.frontier // or has results that do not say which call they answer
	for _, i := range in.Thread.Members(g) {
		k, j := in.KeyOf(int(i)), r.pairs[i]
		switch {
		case k == head:
		case !in.Live(k):
			out.Drop(k, Gone)
		case len(calls) == 0 || j >= 0 && !slices.Contains(calls, int(j)):
			out.Drop(k, r.orphan)
		case k < head:
			out.Drop(k, r.early)
			if j >= 0 {
				early[j] = true
			}
		default:
			out.Put(k, in.At(k), AsIs)
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
	at := in.Slot(g+1, r.first+j)
	it, ok := r.made[at]
	switch {
	case !wanted && !ok:
		return
	case !wanted:
		out.Drop(at, Gone)
		return
	case !ok:
		c := &in.Thread.At(g).Calls[j]
		in.Fill(at, Addition{Role: model.Tool, Answers: &model.Answer{Message: int32(g), CallID: c.ID, ToolName: c.Name}})
		it = f.Edit(at, Item{}, Replace{Text: interrupted, Why: "made up: the call has no result"})
		r.made[at] = it
	}
	out.Put(at, it, ByEdit)
}
