package curate

import "agentlens/internal/model"

// pairsOf gives for every tool message the place of the call it answers in the
// calls of its group's assistant message, or -1.
func pairsOf(t *model.Thread) []int32 {
	pairs := make([]int32, t.Len())
	for i := range pairs {
		pairs[i] = -1
	}
	for i := range t.Len() {
		calls := t.At(i).Calls
		if len(calls) == 0 {
			continue
		}
		byID := make(map[string]int32, len(calls))
		for j := range calls {
			if r, ok := calls[j].Result.Get(); ok {
				pairs[r] = int32(j)
			}
			if _, twice := byID[calls[j].ID]; !twice {
				byID[calls[j].ID] = int32(j)
			}
		}
		for _, r := range t.Members(i) { // second results of answered calls
			m := t.At(int(r))
			if j, ok := byID[m.CallID]; ok && m.Role == model.Tool && m.CallID != "" && pairs[r] < 0 {
				pairs[r] = j
			}
		}
	}
	return pairs
}

// A rule chooses what a sieve keeps. It is asked about a call when its assistant
// message is in the view: newest is the last key of the call and its results.
type rule interface {
	call(in *layer, m *model.Message, j int, newest key) bool
	message(f *facts, in *layer, k key) bool
}

// sieve keeps what its rule keeps, calls and their results pair by pair: an
// assistant message goes when neither a call nor its text is left of it.
type sieve struct {
	rule   rule
	why    string
	pairs  []int32
	units  []int32 // per message, the call at which its group was last decided
	newest []key
	keeps  []bool
	calls  callMemo
}

func (s *sieve) start(in *layer) {
	if s.pairs == nil {
		s.pairs, s.units = pairsOf(in.thread), make([]int32, in.thread.Len())
	}
}

// decide decides about k and its whole group, once at each call.
func (s *sieve) decide(f *facts, in, out *layer, k key) {
	if !in.isMessage(k) {
		s.single(f, in, out, k)
		return
	}
	g := int(in.thread.At(in.message(k)).Group)
	if g < 0 {
		s.single(f, in, out, k)
		return
	}
	if s.units[g] == in.stamp {
		return
	}
	s.units[g] = in.stamp
	s.group(f, in, out, g)
}

func (s *sieve) single(f *facts, in, out *layer, k key) {
	if in.isLive(k) && !s.rule.message(f, in, k) {
		out.drop(k, 1)
		return
	}
	pass(in, out, k)
}

func (s *sieve) group(f *facts, in, out *layer, g int) {
	members := in.thread.Members(g)
	head := in.ofMessage(g)
	if !in.isLive(head) {
		for _, i := range members {
			s.single(f, in, out, in.ofMessage(int(i)))
		}
		return
	}
	m := in.thread.At(g)
	s.newest, s.keeps = s.newest[:0], s.keeps[:0]
	for range m.Calls {
		s.newest, s.keeps = append(s.newest, head), append(s.keeps, false)
	}
	for _, i := range members {
		if j := s.pairs[i]; j >= 0 && in.isLive(in.ofMessage(int(i))) {
			s.newest[j] = max(s.newest[j], in.ofMessage(int(i)))
		}
	}
	now := callsOf(f, in, head)
	left := make([]int, 0, len(now))
	for _, j := range now {
		if s.rule.call(in, m, j, s.newest[j]) {
			left = append(left, j)
			s.keeps[j] = true
		}
	}
	stays := len(left) > 0 || s.rule.message(f, in, head) && (m.HasText() || len(now) == 0)
	switch {
	case !stays:
		out.drop(head, 1)
	case len(left) == len(now):
		pass(in, out, head)
	default:
		out.put(head, s.calls.variant(f, in, head, keepCalls{left: left, of: len(now), why: s.why}), 0)
	}
	for _, i := range members {
		k := in.ofMessage(int(i))
		j := s.pairs[i]
		switch {
		case k == head:
		case !in.isLive(k):
			out.drop(k, whyGone)
		case j >= 0 && s.keeps[j], j < 0 && stays && s.rule.message(f, in, k):
			pass(in, out, k)
		default:
			out.drop(k, 1)
		}
	}
}

// callsOf lists the calls that are left of the assistant message at k.
func callsOf(f *facts, in *layer, k key) []int {
	if left := f.vars.list[in.items[k].variant].calls; left != nil {
		return left
	}
	all := make([]int, len(in.thread.At(in.message(k)).Calls))
	for j := range all {
		all[j] = j
	}
	return all
}
