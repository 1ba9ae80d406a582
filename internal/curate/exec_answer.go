package curate

import (
	"fmt"
	"slices"

	"agentlens/internal/model"
)

// An answer is what a program printed while it is matched with what it was given.
type answer struct {
	*external
	f     *facts
	in    *layer
	keys  []key
	sent  []sentMessage
	taken []bool
	moved []bool // taken, but not in its place
	items []item // what is left of each message
	last  int    // the newest message in its place
	place int    // where the next added message may stand
	nth   int    // its first slot there
	adds  []added
}

type added struct {
	k  key
	it item
}

func (a *answer) read(got []sentMessage) error {
	a.moved, a.items = make([]bool, len(a.sent)), make([]item, len(a.sent))
	for n := range got {
		i := a.match(&got[n])
		var err error
		switch {
		case i >= 0 && i > a.last:
			err = a.keep(i, &got[n])
		case i >= 0 && len(a.sent[i].ToolCalls) == 0 && a.sent[i].ToolCallID == "":
			a.taken[i], a.moved[i] = true, true
			err = a.add(&got[n])
		case i >= 0:
			err = fmt.Errorf("message %d of what it printed was moved: calls and results must stay in their order", n)
		default:
			err = a.add(&got[n])
		}
		if err != nil {
			return fmt.Errorf("message %d of what it printed: %w", n, err)
		}
	}
	return a.checkPairs()
}

// match finds the message that one of the answer is, or -1: by its index, else the
// next that equals it, else any that does, else the next that makes or answers the
// same calls.
func (a *answer) match(m *sentMessage) int {
	if i := m.Index; i != nil && *i >= 0 && *i < len(a.sent) && !a.taken[*i] && a.sent[*i].Role == m.Role {
		return *i
	}
	for _, try := range []struct {
		from int
		same func(a, b *sentMessage) bool
	}{{a.last + 1, equalSent}, {0, equalSent}, {a.last + 1, sameCalls}} {
		for i := try.from; i < len(a.sent); i++ {
			if !a.taken[i] && a.sent[i].Role == m.Role && try.same(&a.sent[i], m) {
				return i
			}
		}
	}
	return -1
}

func equalSent(a, b *sentMessage) bool {
	return a.Content == b.Content && a.ToolCallID == b.ToolCallID && slices.EqualFunc(a.ToolCalls, b.ToolCalls, func(a, b sentCall) bool { return a.ID == b.ID })
}

// sameCalls reports whether b answers the call that a does, or makes some of its calls.
func sameCalls(a, b *sentMessage) bool {
	if b.ToolCallID != "" {
		return a.ToolCallID == b.ToolCallID
	}
	return len(b.ToolCalls) > 0 && !slices.ContainsFunc(b.ToolCalls, func(c sentCall) bool { return a.call(c.ID) < 0 })
}

// call is the place of a call among those sent, or -1.
func (m *sentMessage) call(id string) int {
	return slices.IndexFunc(m.ToolCalls, func(c sentCall) bool { return c.ID == id })
}

// keep takes a message in its place, with the text and the calls it has now.
func (a *answer) keep(i int, m *sentMessage) error {
	a.taken[i], a.last = true, i
	k := a.keys[i]
	it := a.in.items[k]
	if m.Content != a.sent[i].Content {
		it = a.memo.variant(a.f, a.in, k, it, string(m.Content), "external: changed by "+a.command)
	}
	if len(m.ToolCalls) > 0 || len(a.sent[i].ToolCalls) > 0 {
		var err error
		if it, err = a.leave(i, k, it, m); err != nil {
			return err
		}
	}
	a.items[i] = it
	a.place, a.nth = a.in.message(k), 0
	if a.in.isMessage(k) {
		a.place++
	}
	return nil
}

// leave takes the calls that the program left, which may be no others.
func (a *answer) leave(i int, k key, it item, m *sentMessage) (item, error) {
	was := &a.sent[i]
	if len(was.ToolCalls) == 0 {
		return it, fmt.Errorf("it makes a call %q that the message does not make; a program may leave calls out, not add them", m.ToolCalls[0].ID)
	}
	left := []int{}
	now := callsOf(a.f, a.in, k)
	now = slices.DeleteFunc(slices.Clone(now), func(j int) bool { return a.in.thread.At(a.in.message(k)).Calls[j].Server })
	for _, c := range m.ToolCalls {
		j := was.call(c.ID)
		switch {
		case j < 0:
			return it, fmt.Errorf("it makes a call %q that the message does not make; a program may leave calls out, not add them", c.ID)
		case was.ToolCalls[j].Function != c.Function:
			return it, fmt.Errorf("it changes the call %q; a program may leave calls out, not change them", c.ID)
		case slices.Contains(left, now[j]):
			return it, fmt.Errorf("it makes the call %q twice", c.ID)
		}
		left = append(left, now[j])
	}
	if len(left) == len(now) {
		return it, nil
	}
	for _, j := range callsOf(a.f, a.in, k) {
		if a.in.thread.At(a.in.message(k)).Calls[j].Server {
			left = append(left, j)
		}
	}
	slices.Sort(left)
	return a.f.vars.add(a.in.keyspace, k, it, a.f.stage, keepCalls{left: left, of: len(now), why: "external, by " + a.command}), nil
}

// add takes a message that was not there: a text.
func (a *answer) add(m *sentMessage) error {
	role, ok := model.ParseRole(m.Role)
	switch {
	case !ok:
		return fmt.Errorf("there is no role %q", m.Role)
	case role == model.Tool || m.ToolCallID != "" || len(m.ToolCalls) > 0:
		return fmt.Errorf("it is a call or a result that was not there; a program may add texts only")
	}
	for n := a.nth; n < execSlots; n++ {
		at := a.in.slot(a.place, a.external.nth+n)
		if was, used := a.in.added[at]; used && was.role != role {
			continue
		}
		a.in.added[at] = addition{role: role}
		a.nth = n + 1
		a.adds = append(a.adds, added{at, a.memo.variant(a.f, a.in, at, item{}, string(m.Content), "external: added by "+a.command)})
		return nil
	}
	return fmt.Errorf("too many messages are added in one place: %d can be shown", execSlots)
}

// checkPairs checks that no pair is broken that was whole.
func (a *answer) checkPairs() error {
	at := make(map[key]int, len(a.keys))
	for i, k := range a.keys {
		at[k] = i
	}
	for i, k := range a.keys {
		if !a.in.isMessage(k) {
			continue
		}
		m := a.in.thread.At(a.in.message(k))
		for _, j := range callsOf(a.f, a.in, k) {
			c := &m.Calls[j]
			r, given := -1, false
			if result, ok := c.Result.Get(); ok && !c.Server {
				r, given = at[a.in.ofMessage(result)]
			}
			if !given {
				continue
			}
			call := a.stays(i) && slices.Contains(a.callsLeft(i, k), j)
			if result := a.stays(r); call != result {
				what := [2]string{"the call", "its result"}
				if result {
					what[0], what[1] = "the result of the call", "the call"
				}
				return fmt.Errorf("it breaks a pair: it keeps %s %q and not %s (message %d and %d of what it was given)", what[0], c.ID, what[1], i, r)
			}
		}
	}
	return nil
}

func (a *answer) stays(i int) bool { return a.taken[i] && !a.moved[i] }

func (a *answer) callsLeft(i int, k key) []int {
	if left := a.f.vars.list[a.items[i].variant].calls; left != nil {
		return left
	}
	return callsOf(a.f, a.in, k)
}

// settle writes the answer to the view.
func (a *answer) settle(out *layer) {
	for i, k := range a.keys {
		switch {
		case a.stays(i):
			out.put(k, a.items[i], 0)
		case a.taken[i]:
			out.drop(k, whyMoved)
		default:
			out.drop(k, whyLeftOut)
		}
	}
	for _, x := range a.adds {
		out.put(x.k, x.it, whyAdded)
		a.external.added = append(a.external.added, x.k)
	}
}

// textMemo keeps the variants made by replacing texts.
type textMemo struct{ made map[textID]item }

type textID struct {
	k, variant int32
	text       string
}

func (m *textMemo) variant(f *facts, in *layer, k key, it item, text, why string) item {
	id := textID{k, it.variant, text}
	made, ok := m.made[id]
	if !ok {
		if m.made == nil {
			m.made = map[textID]item{}
		}
		made = f.vars.add(in.keyspace, k, it, f.stage, replaceText{text: text, why: why})
		m.made[id] = made
	}
	return made
}
