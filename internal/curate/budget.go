package curate

import (
	"fmt"
	"sort"
	"strings"

	"agentlens/internal/model"
)

var tokenBudgetSpec = Spec{
	Name:    "token_budget",
	Summary: "The newest whole groups that fit max tokens together with the system message.",
	Whose:   "LangChain trim_messages, LlamaIndex, Mastra (fit=best)",
	Params: []Param{
		{Name: "max", Unit: Tok, Units: []Unit{Percent}, Required: true, Help: "tokens kept, the system message counted; % is of the window"},
		{Name: "start_on", Kind: KindWord, Default: "any", Words: []string{"any", "user"}, Help: "what the kept part may start with; where no user message fits, the first group that does"},
		{Name: "fit", Kind: KindWord, Default: "contiguous", Words: []string{"contiguous", "best"}, Help: "contiguous: stop at the first group that does not fit; best: leave it out and go on to older ones"},
		{Name: "partial", Kind: KindBool, Default: "false", Help: "of a text that does not fit, keep the last lines that do"},
		tokensParam,
	},
	build: func(a args) (Built, error) {
		limit, err := a.tokens("max")
		if err != nil {
			return Built{}, err
		}
		older := fmt.Sprintf("would exceed the budget of %s tokens", group(int(limit)))
		w := &window{measure: byTokens, max: limit, headCounts: true, keepHead: true, partial: a.boolean("partial")}
		if a.word("start_on") == "user" {
			w.align = alignUser
		}
		b := w.built(older)
		if a.word("fit") == "best" {
			if w.partial || w.align == alignUser {
				return b, &BuildError{a.call, "fit=best leaves holes: partial and start_on=user go with fit=contiguous"}
			}
			b.Stage = &bestFit{window: *w}
		}
		b.problem = func(v *model.View) []model.Problem {
			found := overBudget(v, limit)
			if w.align == alignUser {
				found = append(found, notOnUser("start_on=user")(v)...)
			}
			return found
		}
		return b, nil
	},
}

// findPart finds the text before the first that fits, and what of it still does.
func (w *window) findPart(f *Facts, in *Layer) {
	w.part = -1
	if !w.partial || w.start == 0 {
		return
	}
	k := w.weighted.Prev(w.start - 1)
	room := w.room(in) - w.sum
	if k < 0 || room <= Overhead || !in.Live(k) || w.members[k] != 1 || in.Role(k) == model.Tool || !onlyText(f, in, k) {
		return
	}
	if w.align == alignUser && in.Role(k) != model.User {
		return
	}
	id := partID{k, in.items[k].Variant, int32(room)}
	it, ok := w.made[id]
	if !ok {
		e := lastLines{}
		if f.vars.size.read {
			e.lines, ok = linesWithin(f.vars.text(in.Keyspace, k, in.items[k]), int(room), f.vars.size.sizes.counter.Count)
			if !ok {
				return
			}
		}
		e.room = int32(room)
		it = f.vars.add(in.Keyspace, k, in.items[k], f.stage, e)
		if w.made == nil {
			w.made = map[partID]Item{}
		}
		w.made[id] = it
	}
	w.part, w.partItem = k, it
}

type partID struct {
	k             Key
	variant, room int32
}

// decideParts decides about the text that was cut and the one that is.
func (w *window) decideParts(in, out *Layer, before Key) {
	for _, k := range []Key{before, w.part} {
		if k >= 0 {
			w.decideOne(in, out, k)
		}
	}
}

// linesWithin is the number of last lines of a text that fit, as a message.
func linesWithin(text string, tokens int, count func(string) int) (n int, ok bool) {
	starts := []int{0}
	for i := range len(text) - 1 {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	at := sort.Search(len(starts), func(i int) bool { return count(text[starts[i]:])+Overhead <= tokens })
	return len(starts) - at, at < len(starts)
}

// lastLines keeps the last lines of a text.
type lastLines struct {
	lines int
	room  int32
}

func (e lastLines) Apply(c *Content) {
	text := model.Join(c.Original, c.Text)
	at := len(text)
	for range e.lines {
		at = strings.LastIndexByte(text[:max(0, at-1)], '\n') + 1
	}
	c.Text = tailOf(c.Original, c.Text, len([]rune(text[at:])))
}

func (e lastLines) Guess(base Variant) (tokens, runes int32) {
	tokens = min(base.Tokens, e.room)
	return tokens, int32(int64(base.Runes) * int64(tokens) / int64(max(base.Tokens, 1)))
}

func (e lastLines) Reason() string {
	return fmt.Sprintf("the last lines that fit: %s tokens were left", group(int(e.room)))
}
