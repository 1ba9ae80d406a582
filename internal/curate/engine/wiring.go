package engine

import (
	"slices"

	"agentlens/internal/model"
)

// layOut assigns slots to every stage.
func layOut(t *model.Thread, parts []Part) *Keyspace {
	var inserters []Inserter
	first := 0
	for i := range parts {
		if ins, ok := parts[i].Stage.(Inserter); ok {
			ins.UseSlots(first)
			first += ins.Slots(t, 0)
			inserters = append(inserters, ins)
		}
	}
	return newKeyspace(t, func(i int) (n int) {
		for _, ins := range inserters {
			n += ins.Slots(t, i)
		}
		return n
	})
}

// wire connects stages that implement each other's interfaces. It wraps stages that must
// spare pinned messages, count with their own sizes, or run at some calls only.
func wire(parts []Part, in Input) {
	var pins Pinner
	var scope Scoper
	for i := range parts {
		p := &parts[i]
		later := parts[i+1:]
		if lazy, ok := p.Stage.(Lazy); ok && in.Only > 0 && !slices.ContainsFunc(later, func(p Part) bool { return p.Stateful }) {
			lazy.StartAt(in.Only - 1)
		}
		if pinner, ok := p.Stage.(Pinner); ok {
			pins = pinner
		} else if pins != nil {
			p.Stage = pin(p.Stage, pins)
		}
		if p.Sizes != nil && p.Sizes != in.Sizes {
			p.recount()
		}
		if s, ok := p.Stage.(Scoper); ok {
			scope = s
		} else if scope != nil {
			p.Stage = &scoped{Stage: p.Stage, scope: scope}
		}
	}
}

// pinned runs a stage and restores the pinned messages.
type pinned struct {
	Stage
	pins Pinner
	mid  *Layer
}

func pin(s Stage, pins Pinner) Stage {
	if sparer, ok := s.(Sparer); ok {
		sparer.Spare(pins)
	}
	if d, ok := s.(SystemDropper); ok && !pins.PinsSystem() {
		d.DropSystem()
	}
	return &pinned{Stage: s, pins: pins}
}

func (p *pinned) Step(f *Facts, in, out *Layer) {
	if p.mid == nil {
		p.mid = NewLayer(in.Keyspace)
	}
	p.mid.Begin(in.stamp)
	p.Stage.Step(f, in, p.mid)
	kept := p.pins.Pinned()
	for _, keys := range [][]Key{in.delta, p.mid.delta, kept.delta} {
		for _, k := range keys {
			if in.Live(k) && kept.Live(k) {
				out.Put(k, in.items[k], AsIs)
			} else {
				out.take(k, p.mid.items[k])
			}
		}
	}
}

// take copies the state and the reason of k from another layer.
func (l *Layer) take(k Key, it Item) {
	if it.Live {
		l.Put(k, it, it.why)
	} else {
		l.Drop(k, it.why)
	}
}

// InSequence returns one stage that runs first and then second. Both must use the same
// [Reasons].
func InSequence(first, second Stage) Stage { return &sequence{first: first, second: second} }

type sequence struct {
	first, second Stage
	mid, end      *Layer
}

// Slots returns the slots of the first stage.
func (s *sequence) Slots(t *model.Thread, i int) int {
	if ins, ok := s.first.(Inserter); ok {
		return ins.Slots(t, i)
	}
	return 0
}

func (s *sequence) UseSlots(first int) {
	if ins, ok := s.first.(Inserter); ok {
		ins.UseSlots(first)
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
			s.settle(out, k)
		}
	}
}

// settle copies the second stage's result for k, with the reason of the stage responsible.
func (s *sequence) settle(out *Layer, k Key) {
	mid, end := s.mid.items[k], s.end.items[k]
	if end.Live && end.Variant == mid.Variant || !end.Live && !mid.Live {
		end.why = mid.why
	}
	out.take(k, end)
}
