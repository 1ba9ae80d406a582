package curate

import (
	"slices"

	"agentlens/internal/model"
)

// The naive form of every strategy: plain functions over the whole list at each
// call, with the state of the call before. It is the judge of the engine.

// wide is the number of places per message in a naive view.
const wide = 32

func place(i int) int         { return i*wide + wide - 1 }
func (m nmsg) message() int   { return m.pos / wide }
func (m nmsg) recorded() bool { return m.pos%wide == wide-1 }

// nmsg is a message of a naive view.
type nmsg struct {
	pos    int // place(i) for message i, i*wide+s for what stage s put before it
	role   model.Role
	tokens int32
	runes  int32
	edits  string // what was done to it
	base   Variant
}

type naiveState struct {
	cleared map[int]bool
	stage   int
	masked  int // mask_observations: results before this position are masked
	cut     int // compactions: position from which messages are kept
	summary *nmsg
}

type judge struct {
	thread *model.Thread
	sizes  *Sizes
	window int64
	text   func(i int) string // of message i; nil where no text is read
}

func (j *judge) head(m nmsg) int {
	if m.recorded() {
		if g := j.thread.Members(m.message()); len(g) > 0 {
			return place(int(g[0]))
		}
	}
	return m.pos
}

// run gives the naive views of every call.
func (j *judge) run(chain Chain) [][]nmsg {
	var views [][]nmsg
	j.each(chain, 1, func(view []nmsg) { views = append(views, view) })
	return views
}

// each forms the naive view of one call in so many.
func (j *judge) each(chain Chain, step int, do func(view []nmsg)) {
	states := make([]naiveState, len(chain))
	for i := range states {
		states[i].cleared = map[int]bool{}
		states[i].stage = i
		states[i].cut = -1
	}
	for n := 0; n <= len(j.thread.Calls); n += step {
		given := j.thread.Len()
		if n < len(j.thread.Calls) {
			given = j.thread.Calls[n].Given
		}
		var view []nmsg
		for i := range given {
			tok, runes := j.sizes.Tokens[i], j.sizes.Runes[i]
			view = append(view, nmsg{pos: place(i), role: j.thread.At(i).Role, tokens: tok, runes: runes, base: Variant{Tokens: tok, Runes: runes}})
		}
		pins := map[int]bool{}
		keepSystem := true
		for s, call := range chain {
			a := &args{stage: call, in: &Input{Window: j.window}, part: new(Part)}
			if call.Spec.Name == "preserve" {
				keepSystem = a.boolean("system")
				for _, m := range j.window1(view, int(a.number("last")), "back", keepSystem) {
					pins[m.pos] = true
				}
				continue
			}
			out := j.counting(call, a, view, &states[s], keepSystem, pins)
			view = repin(view, out, pins)
		}
		do(view)
	}
}

// repin puts back what is preserved.
func repin(in, out []nmsg, pins map[int]bool) []nmsg {
	if len(pins) == 0 {
		return out
	}
	byPos := map[int]nmsg{}
	for _, m := range out {
		byPos[m.pos] = m
	}
	for _, m := range in {
		if pins[m.pos] {
			byPos[m.pos] = m
		}
	}
	var merged []nmsg
	for _, m := range byPos {
		merged = append(merged, m)
	}
	slices.SortFunc(merged, func(a, b nmsg) int { return a.pos - b.pos })
	return merged
}

func (j *judge) split(view []nmsg, keepSystem bool) (head, rest []nmsg) {
	n := 0
	for keepSystem && n < len(view) && view[n].role == model.System {
		n++
	}
	return view[:n], view[n:]
}

// counting applies a strategy that drops by an estimator of its own.
func (j *judge) counting(call StageCall, a *args, view []nmsg, st *naiveState, keepSystem bool, pins map[int]bool) []nmsg {
	per := perToken(a.word("tokens"))
	if per == 0 {
		return j.apply(call, a, view, st, keepSystem, pins)
	}
	own := slices.Clone(view)
	for i := range own {
		own[i].tokens = int32(max(1, float64(len(view[i].role.String())+2+int(view[i].runes))/per))
	}
	left := map[int]bool{}
	for _, m := range j.apply(call, a, own, st, keepSystem, pins) {
		left[m.pos] = true
	}
	return slices.DeleteFunc(slices.Clone(view), func(m nmsg) bool { return !left[m.pos] })
}

func (j *judge) apply(call StageCall, a *args, view []nmsg, st *naiveState, keepSystem bool, pins map[int]bool) []nmsg {
	head, rest := j.split(view, keepSystem)
	switch call.Spec.Name {
	case "passthrough":
		return view
	case "sliding_window":
		return j.window1(view, int(a.number("n")), a.word("align"), keepSystem)
	case "last_turns":
		n, from := int(a.number("n")), -1
		users := 0
		for i := len(rest) - 1; i >= 0; i-- {
			if rest[i].role == model.User {
				if users++; users > n {
					break
				}
				from = i
			}
		}
		if users <= n {
			return view
		}
		if from < 0 {
			from = len(rest)
			// n is 0: the window is empty; it starts after the last user message
			for i := range rest {
				if rest[i].role == model.User {
					from = i + 1
				}
			}
		}
		return append(slices.Clone(head), j.since(rest, from)...)
	case "truncate_turns":
		n, from := max(1, int(a.number("max"))), 0
		for i := len(rest) - 1; i >= 0; i-- {
			if j.head(rest[i]) == rest[i].pos {
				if n == 0 {
					from = i + 1
					break
				}
				n--
			}
		}
		kept := append(slices.Clone(head), j.since(rest, from)...)
		return slices.DeleteFunc(slices.Clone(view), func(m nmsg) bool {
			pinned := len(rest) > 0 && a.boolean("pin_first") && j.head(m) == j.head(rest[0])
			return !pinned && !slices.ContainsFunc(kept, func(k nmsg) bool { return k.pos == m.pos })
		})
	case "truncate_tokens":
		return j.budget(head, rest, max(1, a.number("max")), true, a.boolean("pin_first"), false)
	case "token_budget":
		limit := a.number("max")
		for _, m := range head {
			limit -= int64(m.tokens)
		}
		if a.word("fit") == "best" {
			return j.bestFit(head, rest, limit)
		}
		user := a.word("start_on") == "user"
		if a.boolean("partial") {
			if out := j.partial(head, rest, limit, user); out != nil {
				return out
			}
		}
		return j.budget(head, rest, limit, false, false, user)
	case "truncate_tool_results":
		out := slices.Clone(view)
		for i := range out {
			if limit := int32(a.number("max")); out[i].role == model.Tool && out[i].runes > limit {
				out[i].base.Tokens, out[i].base.Runes = cutText{max: limit, from: out[i].runes, suffix: a.word("suffix"), exact: a.boolean("exact")}.Guess(out[i].base)
				out[i].tokens, out[i].runes = out[i].base.Tokens, out[i].base.Runes
				out[i].edits += "cut "
			}
		}
		return out
	case "keep_active_tools":
		return j.tools(view, a.list("tools"))
	case "clear_tool_uses":
		return j.clear(view, a, st)
	case "mask_observations":
		return j.mask(view, a, st)
	case "prune_tool_outputs":
		return j.prune(view, a, st)
	case "drop_tool_calls":
		_, listed := call.Args["tools"]
		tools := a.list("tools")
		other := func(name string) bool { return listed && !slices.Contains(tools, name) }
		edge := 0
		if n := int(a.number("before_last")); n < len(view) {
			edge = view[len(view)-n-1].pos + 1
		}
		return j.sieve(view,
			func(_ nmsg, c model.ToolCall, newest int) bool { return newest >= edge || other(c.Name) },
			func(m nmsg) bool {
				return m.role != model.Tool || m.pos >= edge || other(j.thread.At(m.message()).ToolName)
			})
	case "collapse_tool_groups":
		return j.collapse(view, int(a.number("keep")))
	case "filter":
		return j.filter(view, call)
	case "keep_text":
		return j.keepText(view)
	case "head_tail":
		return j.headTail(head, rest, int(a.number("head")), int(a.number("tail")))
	case "clear_thinking":
		return j.thinking(view, int(a.number("keep")))
	case "keep_relevant":
		return j.relevant(head, rest, a.number("max"))
	case "render_template":
		return j.render(head, rest, a, st.stage, pins)
	case "repair":
		return j.repair(view, st.stage)
	case "summarize":
		return j.summarize(call, a, view, st)
	case "compact_turns", "compact":
		return j.compact(view, a.built().(*compaction), st.stage, st)
	}
	panic("no naive form of " + call.Spec.Name)
}

// since keeps what belongs to units that start at or after rest[from].
func (j *judge) since(rest []nmsg, from int) []nmsg {
	if from == 0 {
		return rest
	}
	var out []nmsg
	for i, m := range rest {
		if i >= from && (j.head(m) > rest[from-1].pos) {
			out = append(out, m)
		}
	}
	return out
}

func (j *judge) window1(view []nmsg, n int, al string, keepSystem bool) []nmsg {
	head, rest := j.split(view, keepSystem)
	from := max(0, len(rest)-n)
	if from == 0 {
		return view
	}
	if al == "user" {
		for i := from; i < len(rest); i++ {
			if rest[i].role == model.User {
				from = i
				break
			}
		}
	}
	if al != "back" {
		return append(slices.Clone(head), j.since(rest, from)...)
	}
	wanted := map[int]bool{}
	for _, m := range rest[from:] {
		wanted[j.head(m)] = true
	}
	out := slices.Clone(head)
	for _, m := range rest {
		if wanted[j.head(m)] {
			out = append(out, m)
		}
	}
	return out
}

func (j *judge) budget(head, rest []nmsg, limit int64, newest, pinFirst, user bool) []nmsg {
	weight := map[int]int64{}
	var heads []int
	for _, m := range rest {
		h := j.head(m)
		if _, ok := weight[h]; !ok {
			heads = append(heads, h)
		}
		weight[h] += int64(m.tokens)
	}
	slices.Sort(heads)
	from, sum := len(heads), int64(0)
	for i := len(heads) - 1; i >= 0; i-- {
		sum += weight[heads[i]]
		if sum > limit && !(newest && i == len(heads)-1) {
			break
		}
		from = i
	}
	start := 0
	if from > 0 {
		start = heads[from-1] + 1
		if user {
			for i, m := range rest {
				if m.pos >= start && m.role == model.User {
					if i > 0 { // a group begun by a message that is not in the view stays
						start = max(start, rest[i-1].pos+1)
					}
					break
				}
			}
		}
	}
	out := slices.Clone(head)
	for _, m := range rest {
		if j.head(m) >= start || pinFirst && j.head(m) == j.head(rest[0]) {
			out = append(out, m)
		}
	}
	return out
}

func (j *judge) tools(view []nmsg, active []string) []nmsg {
	var out []nmsg
	for _, m := range view {
		msg := j.thread.At(min(m.message(), j.thread.Len()-1))
		if m.recorded() && m.role == model.Tool {
			if name := AnsweredTool(j.thread, m.message()); msg.CallID != "" && name != "" && !slices.Contains(active, name) {
				continue
			}
			if msg.CallID == "" && msg.Group >= 0 {
				head, any := j.thread.At(int(msg.Group)), false
				for _, c := range head.Calls {
					any = any || slices.Contains(active, c.Name)
				}
				if len(head.Calls) > 0 && !any && !head.HasText() {
					continue
				}
			}
		}
		if m.recorded() && m.role == model.Assistant && len(msg.Calls) > 0 {
			had, left := 0, []int{}
			for i, c := range msg.Calls {
				if m.base.Calls != nil && !slices.Contains(m.base.Calls, i) {
					continue
				}
				had++
				if slices.Contains(active, c.Name) {
					left = append(left, i)
				}
			}
			if had > 0 && len(left) == 0 && !msg.HasText() {
				continue
			}
			if len(left) < had {
				m.base.Tokens, m.base.Runes = KeepCalls{Left: left, Of: had}.Guess(m.base)
				m.base.Calls = left
				m.tokens = m.base.Tokens
				m.edits += "calls "
			}
		}
		out = append(out, m)
	}
	return out
}

func (j *judge) clear(view []nmsg, a *args, st *naiveState) []nmsg {
	edit := Replace{Text: a.word("placeholder")}
	cost, _ := edit.Guess(Variant{})
	sticky := a.boolean("sticky")
	if !sticky {
		st.cleared = map[int]bool{}
	}
	total := func() (n int64) {
		for _, m := range view {
			if st.cleared[m.pos] && m.tokens > cost {
				n += int64(cost)
			} else {
				n += int64(m.tokens)
			}
		}
		return n
	}
	present := map[int]bool{}
	for _, m := range view {
		present[m.pos] = true
	}
	if total() > a.number("trigger") {
		var results []nmsg
		for _, m := range view {
			if m.role == model.Tool {
				results = append(results, m)
			}
		}
		keep := int(a.number("keep"))
		var saved int64
		var now []int
		for _, m := range results[:max(0, len(results)-keep)] {
			if !st.cleared[m.pos] && m.tokens > cost && !slices.Contains(a.list("exclude"), AnsweredTool(j.thread, m.message())) {
				saved += int64(m.tokens - cost)
				now = append(now, m.pos)
			}
		}
		if saved > 0 && saved >= a.number("clear_at_least") {
			for _, p := range now {
				st.cleared[p] = true
			}
		}
	}
	out := slices.Clone(view)
	for i := range out {
		if st.cleared[out[i].pos] && out[i].tokens > cost {
			out[i].tokens, out[i].runes = edit.Guess(Variant{})
			out[i].base = Variant{Tokens: out[i].tokens, Runes: out[i].runes}
			out[i].edits += "clear "
		}
	}
	return out
}

// built is the stage that the engine runs, for its parameters.
func (a *args) built() Stage {
	s, err := rows()[a.stage.Spec.Name].build(a)
	if err != nil {
		panic(err)
	}
	return s
}
