package strategy

import (
	"slices"
)

func headTailTrial() trial {
	return trial{
		plain: plainHeadTail,
		chains: []string{
			"head_tail", "head_tail(3, tail=6)", "head_tail(2, tail=3)", "head_tail(0, tail=4)", "head_tail(2, tail=0)",
		},
		large: []string{"head_tail(20, tail=50)", "head_tail(20000, tail=20000)"},
	}
}

func plainHeadTail(j *judge, s *plainStage, view []msg) []msg {
	lead, tail := int(s.number("head")), int(s.number("tail"))
	head, rest := j.split(view)
	if len(rest) <= tail {
		return append(slices.Clone(head), rest...)
	}
	from, end := len(rest)-tail, -1
	if lead > 0 {
		end = rest[min(lead, len(rest))-1].pos
	}
	out := slices.Clone(head)
	for i, m := range rest {
		if h := j.head(m); h <= end || i >= from && h > rest[from-1].pos || tail > 0 && h == j.head(rest[len(rest)-1]) {
			out = append(out, m)
		}
	}
	return out
}
