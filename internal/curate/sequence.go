package curate

import "slices"

// sequence is two stages that a chain names as one.
type sequence struct {
	first, second Stage
	offset        uint16 // what is added to the reasons of second
	mid, end      *Layer
}

// inSequence makes one stage of two; its reasons are those of both.
func inSequence(first, second Built) Built {
	return Built{
		Stage:   &sequence{first: first.Stage, second: second.Stage, offset: uint16(len(first.reasons))},
		reasons: append(append([]string{}, first.reasons...), second.reasons...),
	}
}

func (s *sequence) Step(f *Facts, in, out *Layer) {
	if s.mid == nil {
		s.mid, s.end = NewLayer(in.Keyspace), NewLayer(in.Keyspace)
	}
	s.mid.Begin(in.stamp)
	s.end.Begin(in.stamp)
	s.first.Step(f, in, s.mid)
	s.second.Step(f, s.mid, s.end)
	for _, keys := range [][]Key{in.delta, s.mid.delta, s.end.delta} {
		for _, k := range keys {
			s.decide(out, k)
		}
	}
}

func (s *sequence) decide(out *Layer, k Key) {
	mid, end := s.mid.items[k], s.end.items[k]
	switch {
	case end.Live && end.Variant != mid.Variant:
		out.Put(k, end, end.why+s.offset)
	case end.Live:
		out.Put(k, end, mid.why)
	case mid.Live:
		out.Drop(k, end.why+s.offset)
	default:
		out.Drop(k, mid.why)
	}
}

// sorted is a list of keys in view order.
func sorted(keys []Key) []Key {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	return keys
}
