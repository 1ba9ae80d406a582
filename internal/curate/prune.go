package curate

import (
	"slices"

	"agentlens/internal/model"
)

var pruneToolOutputsSpec = Spec{
	Name:     "prune_tool_outputs",
	Summary:  "Empties tool results older than the newest protect tokens of them, once at least minimum tokens would go.",
	Whose:    "opencode; Gemini CLI (50k, minimum=30k, skip_turns=1)",
	Stateful: true,
	Params: []Param{
		{Name: "protect", Unit: Tok, Units: []Unit{Percent}, Default: "40k", Help: "tokens of the newest tool results that stay; % is of the window"},
		{Name: "minimum", Unit: Tok, Default: "20k", Help: "if no more than this would be saved, nothing is pruned"},
		{Name: "skip_turns", Unit: Turns, Default: "2", Help: "newest turns whose results stay and are not counted"},
		{Name: "exempt", Kind: KindList, Default: "[]", Help: "tools whose results are never pruned nor counted"},
		{Name: "placeholder", Kind: KindWord, Default: `"[Old tool result content cleared]"`, Help: "what stands in place of a result"},
		tokensParam,
	},
	build: func(a args) (builtStage, error) {
		protect, err := a.tokens("protect")
		return builtStage{stage: &prune{
			protect: protect, minimum: a.number("minimum"), skip: int(a.number("skip_turns")), exempt: a.list("exempt"),
			edit: replaceText{text: a.word("placeholder"), why: "pruned: older than the newest " + group(int(protect)) + " tokens of tool results"},
		}}, err
	},
}

// prune empties old tool results in batches; what was pruned stays so.
type prune struct {
	protect, minimum int64
	skip             int
	exempt           []string
	edit             replaceText

	users  *bitset
	pruned *bitset // results pruned at some call, live or not
	weight *sums   // tokens of results that count
	saving *sums   // what pruning would save, of what is not pruned
	todo   *bitset // keys with a saving
	memo   memo
}

func (p *prune) step(f *facts, in, out *layer) {
	if p.users == nil {
		n := len(in.items)
		p.users, p.pruned, p.todo = newBitset(n), newBitset(n), newBitset(n)
		p.weight, p.saving = newSums(n), newSums(n)
	}
	for _, k := range in.delta {
		p.update(f, in, k)
		p.decide(f, in, out, k)
	}
	end := p.skipFrom(in)
	if end < 0 {
		return
	}
	edge := min(end, p.weight.reach(p.weight.before(end)-p.protect))
	if p.saving.before(edge) <= p.minimum {
		return
	}
	for k := p.todo.next(0); k >= 0 && k < edge; k = p.todo.next(k + 1) {
		p.pruned.set(k)
		p.update(f, in, k)
		p.decide(f, in, out, k)
	}
}

// skipFrom is the first key of the turns that are skipped, or -1 when there are
// no more turns than that.
func (p *prune) skipFrom(in *layer) key {
	end := int32(len(in.items))
	for range p.skip {
		if end = p.users.prev(end - 1); end < 0 {
			return -1
		}
	}
	return end
}

func (p *prune) update(f *facts, in *layer, k key) {
	live := in.isLive(k)
	if live && in.role(k) == model.User {
		p.users.set(k)
	} else {
		p.users.clear(k)
	}
	weight, saving := int64(0), int64(0)
	if live && in.role(k) == model.Tool && !p.pruned.has(k) && !slices.Contains(p.exempt, answeredTool(in.thread, in.message(k))) {
		weight = int64(in.items[k].tokens)
		saving = max(0, weight-int64(p.memo.variant(f, in, k, p.edit).tokens))
	}
	p.weight.set(k, weight)
	p.saving.set(k, saving)
	p.todo.clear(k)
	if saving > 0 {
		p.todo.set(k)
	}
}

func (p *prune) decide(f *facts, in, out *layer, k key) {
	if p.pruned.has(k) && in.isLive(k) {
		if it := p.memo.variant(f, in, k, p.edit); it.tokens < in.items[k].tokens {
			out.put(k, it, 0)
			return
		}
	}
	pass(in, out, k)
}
