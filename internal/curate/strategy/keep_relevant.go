package strategy

import (
	"cmp"
	"fmt"
	"slices"

	"agentlens/internal/curate/bm25"
	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/keyset"
	"agentlens/internal/model"
)

func keepRelevantRow() Row {
	return Row{
		Spec: chain.Spec{
			Name:    "keep_relevant",
			Summary: "The last user message; within max tokens the turn at hand, the newest first, then the older groups most like it in their words (BM25 with the last user message and the open calls), then the newest.",
			Whose:   "lens; importance without a model",
			Params: []chain.Param{
				{Name: "max", Unit: chain.Tok, Units: []chain.Unit{chain.Percent}, Required: true, Help: "tokens of the whole context, the system message counted; % is of the window"},
				ofParam(ofContext, "max"),
			},
		},
		build: func(a *args) (engine.Stage, error) {
			limit, err := a.tokens("max")
			r := &relevant{
				choice: choice{weights: weights{measure: byTokens}}, room: withSystem(limit, a.budget()), asked: -1,
				less:   a.because("less relevant than what fits %s tokens", chain.Comma(int(limit))),
				behind: a.because("of the turn at hand, but the question and what is newer fill %s tokens", chain.Comma(int(limit))),
			}
			over := a.headOverBudget(limit)
			a.judge(func(v *model.View) []model.Problem {
				if over != nil {
					return over
				}
				found := append(overBudget(v, limit), overByQuestion(v, limit)...)
				if r.index == nil {
					found = append(found, model.Problem{Rule: "not-scored", Message: "the texts are not counted yet: the newest groups are kept"})
				}
				return found
			})
			return r, err
		},
	}
}

// overByQuestion reports that the question alone exceeds the budget.
func overByQuestion(v *model.View, limit int64) []model.Problem {
	var head, question int64
	begun, at := false, int32(-1)
	for i := range v.Entries {
		e := &v.Entries[i]
		if begun = begun || e.Role != model.System; !begun {
			head += int64(e.Tokens)
		} else if e.Role == model.User && e.Fate != model.WasDropped {
			question, at = int64(e.Tokens), e.Index
		}
	}
	if question == 0 || head > limit || head+question <= limit {
		return nil
	}
	return []model.Problem{{Rule: "over-budget", Index: model.Some(at), Message: fmt.Sprintf("the last user message is kept, and exceeds the budget of %s tokens", chain.Comma(int(limit)))}}
}

// relevant keeps the messages that are similar to the current question.
type relevant struct {
	choice
	room         room
	less, behind engine.Reason // of messages before the question, and after it

	index *bm25.Index // nil if texts may not be read
	said  *keyset.Set // live messages that are not results
	asked engine.Key  // the last user message, or -1
	open  []int32     // pending calls: their message, then their positions
	// ranked lists the units before asked that are similar to the question, best first.
	ranked []engine.Key
	picked *keyset.Set
}

func (r *relevant) Step(f *engine.Facts, in, out *engine.Layer) {
	if r.said == nil {
		r.said, r.picked, r.keeps = keyset.NewSet(in.Size()), keyset.NewSet(in.Size()), keyset.NewSet(in.Size())
		if f.Reads() {
			r.index = bm25.NewIndex(in.Size())
		}
	}
	r.follow(in, func(engine.Key, int32) {})
	stale := false
	for _, k := range in.Changed() {
		r.said.Put(k, in.Live(k) && in.Role(k) != model.Tool)
		stale = stale || k <= r.asked
		if r.index != nil {
			r.read(f, in, k)
		}
	}
	before := r.asked
	asked := r.users.Prev(engine.Key(in.Size() - 1))
	open := r.waiting(f, in)
	if stale || asked != r.asked || r.was != r.head || !slices.Equal(open, r.open) {
		r.asked, r.open = asked, open
		r.rank(f, in)
	}
	r.start()
	r.choose(f, in)
	r.settle(in, func(unit engine.Key) { r.decide(in, out, unit) })
	for k := range in.Between(max(0, before), max(0, asked)) { // these messages now belong to another turn
		r.decide(in, out, in.UnitHead(k))
	}
}

// decide keeps or drops the unit of a head.
func (r *relevant) decide(in, out *engine.Layer, head engine.Key) {
	r.decideMember(in, out, head, head)
	if in.IsMessage(head) {
		for _, i := range in.Thread.Members(in.Place(head)) {
			if k := in.KeyOf(int(i)); k != head {
				r.decideMember(in, out, head, k)
			}
		}
	}
}

func (r *relevant) decideMember(in, out *engine.Layer, head, k engine.Key) {
	switch {
	case !in.Live(k):
		out.Drop(k, engine.Gone)
	case k < r.head || r.keeps.Has(head):
		out.Put(k, in.At(k), engine.AsIs)
	case r.asked > 0 && k > r.asked:
		out.Drop(k, r.behind)
	default:
		out.Drop(k, r.less)
	}
}

func (r *relevant) read(f *engine.Facts, in *engine.Layer, k engine.Key) {
	var words []string
	if in.Live(k) {
		words = bm25.Words(f.Text(k, in.At(k)))
	}
	r.index.Set(k, words)
}

// waiting returns the message and the positions of the calls of the newest assistant
// message that have no result.
func (r *relevant) waiting(f *engine.Facts, in *engine.Layer) []int32 {
	k := r.said.Prev(int32(in.Size() - 1))
	if k < 0 || !in.IsMessage(k) || in.Role(k) != model.Assistant {
		return nil
	}
	var open []int32
	for _, j := range f.CallsLeft(k, in.At(k)) {
		c := &in.Thread.At(in.Place(k)).Calls[j]
		result, answered := c.Result.Get()
		if !c.Server && (!answered || !in.Live(in.KeyOf(result))) {
			open = append(open, k, int32(j))
		}
	}
	return open
}

// rank orders the units before the question by similarity.
func (r *relevant) rank(f *engine.Facts, in *engine.Layer) {
	r.ranked = r.ranked[:0]
	if r.index == nil || r.asked < 0 {
		return
	}
	query := bm25.Words(f.Text(r.asked, in.At(r.asked)))
	for i := 0; i < len(r.open); i += 2 {
		c := &in.Thread.At(in.Place(r.open[i])).Calls[r.open[i+1]]
		query = append(query, bm25.Words(c.Name+" "+f.Body(c.Args))...)
	}
	best := map[engine.Key]float64{}
	for k, score := range r.index.Scores(query, r.asked) {
		if unit := in.UnitHead(k); k >= r.head && unit < r.asked {
			best[unit] = max(best[unit], score)
		}
	}
	for unit := range best {
		r.ranked = append(r.ranked, unit)
	}
	slices.SortFunc(r.ranked, func(a, b engine.Key) int {
		return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(b, a))
	})
}

// choose keeps the current question and fills the room. It first chooses the question's
// turn, newest first, then similar units, then the newest ones.
func (r *relevant) choose(f *engine.Facts, in *engine.Layer) {
	room := r.room(f, in, &r.weights)
	take := func(k engine.Key) bool {
		size := int64(r.of[k])
		if size == 0 || size > room {
			return false
		}
		room -= size
		r.picked.Add(k)
		r.chosen = append(r.chosen, k)
		return true
	}
	question := engine.Key(-1)
	if r.asked >= 0 {
		question = in.UnitHead(r.asked)
		room -= int64(r.of[question])
		r.picked.Add(question)
		r.chosen = append(r.chosen, question)
	}
	k := r.heavy.Prev(int32(in.Size() - 1))
	for k > question && take(k) {
		k = r.heavy.Prev(k - 1)
	}
	if k <= question {
		for _, unit := range r.ranked {
			take(unit)
		}
		for k >= 0 && (r.picked.Has(k) || take(k)) {
			k = r.heavy.Prev(k - 1)
		}
	}
	for _, k := range r.chosen {
		r.picked.Remove(k)
	}
	slices.SortFunc(r.chosen, func(a, b engine.Key) int { return cmp.Compare(b, a) })
}

// A choice keeps some units of a view and chooses again at each call. Its cost is
// proportional to the number of chosen units and changes.
type choice struct {
	weights
	chosen []engine.Key // heads of the units kept, newest first
	before []engine.Key // heads at the previous call
	keeps  *keyset.Set
}

// start begins a choice; the caller then fills chosen.
func (c *choice) start() { c.chosen, c.before = c.before[:0], c.chosen }

// settle calls decide for every unit that has changed, is newly chosen, or is no longer
// chosen.
func (c *choice) settle(in *engine.Layer, decide func(unit engine.Key)) {
	for _, k := range c.before {
		c.keeps.Remove(k)
	}
	for _, k := range c.chosen {
		c.keeps.Add(k)
	}
	for _, k := range in.Changed() {
		decide(in.UnitHead(k))
	}
	for k := range in.Between(c.was, c.head) {
		decide(in.UnitHead(k))
	}
	eachChange(c.before, c.chosen, decide)
}
