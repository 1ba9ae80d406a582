package curate

import (
	"fmt"
	"unicode/utf8"

	"agentlens/internal/model"
)

var truncateToolResultsSpec = Spec{
	Name:    "truncate_tool_results",
	Summary: "Cuts tool results longer than max to max code points, a suffix included.",
	Whose:   "history manager specification; Strands and the OpenAI Agents SDK (keep=both)",
	Params: []Param{
		{Name: "max", Unit: Chars, Default: "2000", Help: "code points a result may have"},
		{Name: "suffix", Kind: KindWord, Default: `"\n... [truncated]"`, Help: "put where the text was cut; counted in max"},
		{Name: "keep", Kind: KindWord, Default: "head", Words: []string{"head", "tail", "both"}, Help: "which end of the result stays"},
		{Name: "exact", Kind: KindBool, Default: "false", Help: "cut as the specification's code does: at code points, and a suffix longer than max makes a result longer"},
	},
	build: func(a args) (builtStage, error) {
		cut := cutText{max: int32(min(a.number("max"), 1<<30)), suffix: a.word("suffix"), keep: a.word("keep"), exact: a.boolean("exact")}
		if cut.exact && cut.keep != "head" {
			return builtStage{}, &BuildError{a.call, "the exact cut of the specification keeps the head; leave exact out, or keep"}
		}
		return builtStage{stage: &truncate{cut: cut}}, nil
	},
}

// truncate shortens long tool results, each once, when it arrives.
type truncate struct {
	cut  cutText
	memo memo
}

func (t *truncate) step(f *facts, in, out *layer) {
	for _, k := range in.delta {
		it := in.items[k]
		if !it.live || in.role(k) != model.Tool {
			pass(in, out, k)
			continue
		}
		runes := f.vars.runes(in.keyspace, k, it)
		if runes <= t.cut.max {
			pass(in, out, k)
			continue
		}
		cut := t.cut
		cut.from = runes
		out.put(k, t.memo.variant(f, in, k, cut), 0)
	}
}

// cutText shortens a text to max code points, suffix included. A suffix that
// leaves no room is the text, cut to max.
type cutText struct {
	max    int32
	suffix string
	keep   string
	exact  bool
	from   int32 // code points before
}

// exactHead is how many code points the specification's slice leaves: counted from
// the end where the suffix is longer than max.
func (c cutText) exactHead() int32 {
	n := c.max - int32(utf8.RuneCountInString(c.suffix))
	if n < 0 {
		n = max(0, c.from+n)
	}
	return n
}

func (c cutText) apply(t *content) {
	if c.exact {
		t.text = exactHeadOf(t.original, t.text, int(c.exactHead()))
		if c.suffix != "" {
			t.text = append(t.text, model.Piece{Insert: c.suffix})
		}
		return
	}
	room := int(c.max) - utf8.RuneCountInString(c.suffix)
	var mark []model.Piece
	if room <= 0 {
		room = 0
	}
	if s := c.suffix[:byteOfRune(c.suffix, int(c.max))]; s != "" {
		mark = []model.Piece{{Insert: s}}
	}
	switch c.keep {
	case "tail":
		t.text = append(mark, tailOf(t.original, t.text, room)...)
	case "both":
		head := headOf(t.original, t.text, room-room/2)
		t.text = append(append(head, mark...), tailOf(t.original, t.text, room/2)...)
	default:
		t.text = append(headOf(t.original, t.text, room), mark...)
	}
}

func (c cutText) guess(base variant) (tokens, runes int32) {
	to := c.length()
	if c.from == 0 {
		return base.tokens, to
	}
	return Overhead + int32(int64(base.tokens-Overhead)*int64(to)/int64(c.from)), to
}

// length is what the cut makes of a text, in code points.
func (c cutText) length() int32 {
	if c.exact {
		return c.exactHead() + int32(utf8.RuneCountInString(c.suffix))
	}
	return c.max
}

func (c cutText) reason() string {
	return fmt.Sprintf("%s → %s code points", group(int(c.from)), group(int(c.length())))
}

// memo keeps the variants a stage has made, so that a message that leaves and
// comes back is not made anew: one per key, and more where its content changed.
type memo struct {
	made []memoItem
	more map[memoKey]item
}

type memoItem struct {
	base int32
	item
}

type memoKey struct{ k, base int32 }

func (m *memo) variant(f *facts, in *layer, k key, e edit) item {
	if m.made == nil {
		m.made = make([]memoItem, len(in.items))
	}
	base := in.items[k].variant
	first := &m.made[k]
	switch {
	case !first.live:
		*first = memoItem{base, f.vars.add(in.keyspace, k, in.items[k], f.stage, e)}
		return first.item
	case first.base == base:
		return first.item
	}
	id := memoKey{k, base}
	it, ok := m.more[id]
	if !ok {
		if m.more == nil {
			m.more = map[memoKey]item{}
		}
		it = f.vars.add(in.keyspace, k, in.items[k], f.stage, e)
		m.more[id] = it
	}
	return it
}
