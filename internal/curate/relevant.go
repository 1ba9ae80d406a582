package curate

import (
	"cmp"
	"fmt"
	"slices"

	"agentlens/internal/model"
)

var keepRelevantSpec = Spec{
	Name:    "keep_relevant",
	Summary: "The last user message; within max tokens the turn at hand, the newest first, then the older groups most like it in their words (BM25 with the last user message and the open calls), then the newest.",
	Whose:   "lens; importance without a model",
	Params:  []Param{{Name: "max", Unit: Tok, Units: []Unit{Percent}, Required: true, Help: "tokens kept, the system message counted; % is of the window"}},
	build: func(a args) (builtStage, error) {
		limit, err := a.tokens("max")
		r := &relevant{asked: -1, choice: choice{window: window{measure: byTokens, max: limit, headCounts: true, keepHead: true}}}
		b := r.built(fmt.Sprintf("less relevant than what fits %s tokens", group(int(limit))))
		b.stage = r
		b.reasons = append(b.reasons, fmt.Sprintf("of the turn at hand, but the question and what is newer fill %s tokens", group(int(limit))))
		b.problem = func(v *model.View) []model.Problem {
			found := append(overBudget(v, limit), overByQuestion(v, limit)...)
			if r.index == nil {
				found = append(found, model.Problem{Rule: "not-scored", Index: -1, Message: "the texts are not counted yet: the newest groups are kept"})
			}
			return found
		}
		return b, err
	},
}

// whyTurn is the reason of what is dropped behind the question at hand.
const whyTurn = whyFirst + 1

// overByQuestion says that a budget is exceeded for the question's sake.
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
	return []model.Problem{{Rule: "over-budget", Index: int(at), Message: fmt.Sprintf("the last user message is kept, and exceeds the budget of %s tokens", group(int(limit)))}}
}

// relevant keeps what is like the question at hand.
type relevant struct {
	choice
	index *wordIndex // nil where texts may not be read
	said  *bitset    // live messages that are no results
	asked key        // the last user message, or -1
	open  []int32    // the calls that wait for results: their message, then their places
	// ranked lists the units before asked that are like it, the best first.
	ranked []key
	picked *bitset
}

func (r *relevant) step(f *facts, in, out *layer) {
	if r.said == nil {
		r.said, r.picked = newBitset(len(in.items)), newBitset(len(in.items))
		if f.vars.size.read {
			r.index = newWordIndex(len(in.items))
		}
	}
	was := r.weighAll(in)
	anew := false
	for _, k := range in.delta {
		r.said.clear(k)
		if in.isLive(k) && in.role(k) != model.Tool {
			r.said.set(k)
		}
		anew = anew || k <= r.asked
		if r.index != nil {
			r.read(f, in, k)
		}
	}
	asked := r.users.prev(int32(len(in.items) - 1))
	open := r.waiting(f, in)
	if anew || asked != r.asked || was != r.head || !slices.Equal(open, r.open) {
		r.asked, r.open = asked, open
		r.rank(f, in)
	}
	before := r.turn
	r.turn = asked
	r.start()
	r.choose(in)
	r.settle(in, out, was)
	// What was of the turn at hand and is no more, or the other way round.
	r.eachLive(in, max(0, min(before, asked)), max(before, asked), func(k key) { r.decideUnit(in, out, unitHead(in, k)) })
}

func (r *relevant) read(f *facts, in *layer, k key) {
	var words []string
	if in.isLive(k) {
		words = wordsOf(f.vars.text(in.keyspace, k, in.items[k]))
	}
	r.index.set(k, words)
}

// waiting lists the calls of the newest assistant message that have no result.
func (r *relevant) waiting(f *facts, in *layer) []int32 {
	k := r.said.prev(int32(len(in.items) - 1))
	if k < 0 || !in.isMessage(k) || in.role(k) != model.Assistant {
		return nil
	}
	var open []int32
	for _, j := range callsOf(f, in, k) {
		c := &in.thread.At(in.message(k)).Calls[j]
		result, answered := c.Result.Get()
		if !c.Server && (!answered || !in.isLive(in.ofMessage(result))) {
			open = append(open, k, int32(j))
		}
	}
	return open
}

// rank orders the units before the question by their likeness to it.
func (r *relevant) rank(f *facts, in *layer) {
	r.ranked = r.ranked[:0]
	if r.index == nil || r.asked < 0 {
		return
	}
	query := wordsOf(f.vars.text(in.keyspace, r.asked, in.items[r.asked]))
	for i := 0; i < len(r.open); i += 2 {
		c := &in.thread.At(in.message(r.open[i])).Calls[r.open[i+1]]
		query = append(query, wordsOf(c.Name+" "+f.vars.size.body(c.Args))...)
	}
	best := map[key]float64{}
	for k, score := range r.index.scores(query, r.asked) {
		if unit := unitHead(in, k); k >= r.head && unit < r.asked {
			best[unit] = max(best[unit], score)
		}
	}
	for unit := range best {
		r.ranked = append(r.ranked, unit)
	}
	slices.SortFunc(r.ranked, func(a, b key) int {
		return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(b, a))
	})
}

// choose keeps the question at hand and fills the room: its turn from the newest on,
// what is like it, what is newest.
func (r *relevant) choose(in *layer) {
	room := r.room(in)
	take := func(k key) bool {
		size := int64(r.weight[k])
		if size == 0 || size > room {
			return false
		}
		room -= size
		r.picked.set(k)
		r.now = append(r.now, k)
		return true
	}
	question := key(-1)
	if r.asked >= 0 {
		question = unitHead(in, r.asked)
		room -= int64(r.weight[question])
		r.picked.set(question)
		r.now = append(r.now, question)
	}
	k := r.weighted.prev(int32(len(in.items) - 1))
	for k > question && take(k) {
		k = r.weighted.prev(k - 1)
	}
	if k <= question {
		for _, unit := range r.ranked {
			take(unit)
		}
		for k >= 0 && (r.picked.has(k) || take(k)) {
			k = r.weighted.prev(k - 1)
		}
	}
	for _, k := range r.now {
		r.picked.clear(k)
	}
	slices.SortFunc(r.now, func(a, b key) int { return cmp.Compare(b, a) })
}
