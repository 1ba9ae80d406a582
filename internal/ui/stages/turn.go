package stages

import (
	"math"
	"slices"

	"agentlens/internal/curate"
)

// Turn turns the parameter under the cursor up (1) or down (-1): a number by a
// step of its size, a word to the next one, a truth value to the other. It reports
// whether anything changed; lists and free words are only edited as text.
func (l *List) Turn(d int) bool {
	p, s := l.ParamAt(), l.At()
	if p == nil {
		return false
	}
	old := s.Call.Arg(p.Name)
	for _, v := range turned(p, old, d) {
		call, err := s.Call.With(p.Name, v)
		if err != nil {
			continue
		}
		next := slices.Clone(l.Stages)
		next[l.Cursor].Call = call
		if call.String() != s.Call.String() && l.change(next) {
			return true
		}
	}
	return false
}

// turned lists the values after old in direction d, the nearest first.
func turned(p *curate.Param, old curate.Value, d int) []curate.Value {
	switch p.Kind {
	case curate.KindAmount:
		n := old.Number + step(old.Number)
		if d < 0 {
			n = old.Number - step(old.Number-1)
		}
		if old.Unit == curate.Percent {
			n = math.Min(n, 100)
		}
		if n < 0 || n == old.Number {
			return nil
		}
		return []curate.Value{{Kind: p.Kind, Number: n, Unit: old.Unit}}
	case curate.KindBool:
		return []curate.Value{{Kind: p.Kind, Bool: !old.Bool}}
	case curate.KindWord:
		var list []curate.Value
		at := slices.Index(p.Words, old.Word)
		for i := 1; at >= 0 && i < len(p.Words); i++ {
			n := (at + d*i + len(p.Words)) % len(p.Words)
			list = append(list, curate.Value{Kind: p.Kind, Word: p.Words[n]})
		}
		return list
	}
	return nil
}

// step is how far a number is turned: by one below twenty, then by half of its
// power of ten, so that a few turns double it.
func step(n float64) float64 {
	if n < 20 {
		return 1
	}
	return math.Pow10(int(math.Log10(n)+1e-9)) / 2
}
