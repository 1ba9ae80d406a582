package curate

import "agentlens/internal/model"

// A rule chooses what a sieve keeps. It is asked about a call when its assistant
// message is in the view: newest is the last key of the call and its results.
type rule interface {
	call(in *Layer, m *model.Message, j int, newest Key) bool
	message(f *Facts, in *Layer, k Key) bool
}

// sieve keeps what its rule keeps, calls and their results pair by pair: an
// assistant message goes when neither a call nor its text is left of it.
type sieve struct {
	rule         rule
	callsDropped string // why calls are left out of a message that stays
	dropped      Reason // of a message
	pairs        []int32
	units        []int32 // per message, the call at which its group was last decided
	newest       []Key
	keeps        []bool
	calls        CallMemo
}

func (s *sieve) start(in *Layer) {
	if s.pairs == nil {
		s.pairs, s.units = PairsOf(in.Thread), make([]int32, in.Thread.Len())
	}
}

// decide decides about k and its whole group, once at each call.
func (s *sieve) decide(f *Facts, in, out *Layer, k Key) {
	if !in.IsMessage(k) {
		s.single(f, in, out, k)
		return
	}
	g := int(in.Thread.At(in.Place(k)).Group)
	if g < 0 {
		s.single(f, in, out, k)
		return
	}
	if s.units[g] == in.Stamp() {
		return
	}
	s.units[g] = in.Stamp()
	s.group(f, in, out, g)
}

func (s *sieve) single(f *Facts, in, out *Layer, k Key) {
	if in.Live(k) && !s.rule.message(f, in, k) {
		out.Drop(k, s.dropped)
		return
	}
	Pass(in, out, k)
}

func (s *sieve) group(f *Facts, in, out *Layer, g int) {
	members := in.Thread.Members(g)
	head := in.KeyOf(g)
	if !in.Live(head) {
		for _, i := range members {
			s.single(f, in, out, in.KeyOf(int(i)))
		}
		return
	}
	m := in.Thread.At(g)
	s.newest, s.keeps = s.newest[:0], s.keeps[:0]
	for range m.Calls {
		s.newest, s.keeps = append(s.newest, head), append(s.keeps, false)
	}
	for _, i := range members {
		if j := s.pairs[i]; j >= 0 && in.Live(in.KeyOf(int(i))) {
			s.newest[j] = max(s.newest[j], in.KeyOf(int(i)))
		}
	}
	now := f.CallsLeft(head, in.At(head))
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
		out.Drop(head, s.dropped)
	case len(left) == len(now):
		Pass(in, out, head)
	default:
		out.Put(head, s.calls.Edit(f, in, head, KeepCalls{Left: left, Of: len(now), Why: s.callsDropped}), ByEdit)
	}
	for _, i := range members {
		k := in.KeyOf(int(i))
		j := s.pairs[i]
		switch {
		case k == head:
		case !in.Live(k):
			out.Drop(k, Gone)
		case j >= 0 && s.keeps[j], j < 0 && stays && s.rule.message(f, in, k):
			Pass(in, out, k)
		default:
			out.Drop(k, s.dropped)
		}
	}
}
