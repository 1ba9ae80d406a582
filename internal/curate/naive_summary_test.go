package curate

import (
	"slices"

	"agentlens/internal/model"
)

// units lists the texts of rest: groups by their first message, and messages
// outside any.
func (j *judge) units(rest []nmsg) []nmsg {
	return slices.DeleteFunc(slices.Clone(rest), func(m nmsg) bool { return j.head(m) != m.pos })
}

// summary is the message a summariser puts at pos, sized without reading.
func (j *judge) summary(s Source, rest []nmsg, pos int, role model.Role) *nmsg {
	var e Guesser = &extract{until: pos / wide}
	switch s.kind {
	case "placeholder", "recorded": // where no text is read
		e = sizeOnly{tokens: s.size}
	case "ends":
		var texts []nmsg
		for _, m := range rest {
			if m.pos < pos && m.role != model.Tool && (!m.recorded() || j.thread.At(m.message()).HasText()) {
				texts = append(texts, m)
			}
		}
		made := ends{more: len(texts) > 2}
		if len(texts) > 0 {
			made.firstItem = Item{Live: true, Tokens: texts[0].tokens}
		}
		if n := len(texts); n > 1 {
			made.lastItem = Item{Live: true, Tokens: texts[n-1].tokens}
		}
		e = made
	}
	tok, runes := e.Guess(Variant{})
	return &nmsg{pos: pos, role: role, tokens: tok, runes: runes, edits: "summary", base: Variant{Tokens: tok, Runes: runes}}
}

func (j *judge) summarize(call StageCall, a *args, view []nmsg, st *naiveState) []nmsg {
	pair := a.built().(*sequence)
	bound := max(1, a.number("max_tokens"))
	var out []nmsg
	if c, ok := pair.first.(*compaction); ok {
		out = j.compact(view, c, st.stage, st)
	} else {
		out = j.summarizeAll(view, pair.first.(*summarize), st.stage)
	}
	head, rest := j.split(out, true)
	return j.budget(head, rest, bound, true, false, false)
}

func (j *judge) summarizeAll(view []nmsg, s *summarize, stage int) []nmsg {
	head, rest := j.split(view, true)
	units := j.units(rest)
	if len(units) == 0 {
		return view
	}
	cut := units[max(1, int(float64(len(units))*s.share))-1].pos + 1
	out := append(slices.Clone(head), *j.summary(s.source, rest, cut/wide*wide+stage, s.role))
	for _, m := range rest {
		if j.head(m) >= cut {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b nmsg) int { return a.pos - b.pos })
	return out
}

// shareCut is where what stays begins when the oldest share of the texts goes, the
// summary counting as the oldest.
func (j *judge) shareCut(share float64, live []nmsg, summary bool) int {
	units := j.units(live)
	n := len(units) + int(b2i(summary))
	old := max(1, int(float64(n)*share)) - int(b2i(summary))
	if len(units) == 0 || old <= 0 {
		return -1
	}
	if old < len(units) {
		return place(units[old].message())
	}
	return (units[len(units)-1].message() + 1) * wide
}
