package curate

import "slices"

// sequence is two stages that a chain names as one.
type sequence struct {
	first, second stage
	offset        uint16 // what is added to the reasons of second
	mid, end      *layer
}

// inSequence makes one stage of two; its reasons are those of both.
func inSequence(first, second builtStage) builtStage {
	return builtStage{
		stage:   &sequence{first: first.stage, second: second.stage, offset: uint16(len(first.reasons))},
		reasons: append(append([]string{}, first.reasons...), second.reasons...),
	}
}

func (s *sequence) step(f *facts, in, out *layer) {
	if s.mid == nil {
		s.mid, s.end = newLayer(in.keyspace), newLayer(in.keyspace)
	}
	s.mid.begin(in.stamp)
	s.end.begin(in.stamp)
	s.first.step(f, in, s.mid)
	s.second.step(f, s.mid, s.end)
	for _, keys := range [][]key{in.delta, s.mid.delta, s.end.delta} {
		for _, k := range keys {
			s.decide(out, k)
		}
	}
}

func (s *sequence) decide(out *layer, k key) {
	mid, end := s.mid.items[k], s.end.items[k]
	switch {
	case end.live && end.variant != mid.variant:
		out.put(k, end, end.why+s.offset)
	case end.live:
		out.put(k, end, mid.why)
	case mid.live:
		out.drop(k, end.why+s.offset)
	default:
		out.drop(k, mid.why)
	}
}

// sorted is a list of keys in view order.
func sorted(keys []key) []key {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	return keys
}
