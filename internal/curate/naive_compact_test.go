package curate

import (
	"slices"

	"agentlens/internal/model"
)

func (j *judge) compact(view []nmsg, c *compaction, stage int, st *naiveState) []nmsg {
	head, rest := j.split(view, true)
	var users []nmsg
	var turns int
	var chars, size int64
	var live []nmsg
	for _, m := range head {
		size += int64(m.tokens)
	}
	for _, m := range rest {
		if m.role == model.User {
			users = append(users, m)
		}
		if m.pos < st.cut {
			continue
		}
		chars += j.chars(m)
		turns += int(b2i(m.role == model.User))
		if j.head(m) >= st.cut {
			live = append(live, m)
			size += int64(m.tokens)
		}
	}
	count := int64(len(live))
	if st.summary != nil {
		count++
		size += int64(st.summary.tokens)
	}
	over := false
	texts := len(j.units(live)) + int(b2i(st.summary != nil))
	for _, l := range c.over {
		over = over || map[Unit]int64{Turns: int64(turns), Chars: chars, Tok: size, Msgs: count, Texts: int64(texts)}[l.unit] > l.n
	}
	cut := 0
	if c.keep.unit == Texts {
		cut = j.shareCut(c.share, live, st.summary != nil)
	} else {
		cut = j.cutFor(c.keep, users, live)
	}
	if over && cut > st.cut && len(live) > 0 && firstFrom(rest, st.cut) < cut {
		st.cut = cut
		st.summary = j.summary(c.source, rest, cut/wide*wide+stage, c.role)
		live = slices.DeleteFunc(live, func(m nmsg) bool { return m.pos < cut || j.head(m) < cut })
	}
	out := append(slices.Clone(head), live...)
	if st.summary != nil {
		out = append(out, *st.summary)
	}
	slices.SortFunc(out, func(a, b nmsg) int { return a.pos - b.pos })
	return out
}

func firstFrom(rest []nmsg, cut int) int {
	for _, m := range rest {
		if m.pos >= cut {
			return m.pos
		}
	}
	return 1 << 60
}

// cutFor is the position from which messages stay, or -1.
func (j *judge) cutFor(keep limit, users, live []nmsg) int {
	var at nmsg
	n := int(keep.n)
	switch keep.unit {
	case Turns:
		if len(users) < n {
			return -1
		}
		at = users[len(users)-n]
	case Msgs:
		if len(live) <= n {
			return -1
		}
		if n == 0 {
			return (live[len(live)-1].message() + 1) * wide
		}
		at = live[len(live)-n]
	default:
		var all, sum int64
		for _, m := range live {
			all += int64(m.tokens)
		}
		budget := keep.n
		if keep.unit == Percent {
			budget = all * keep.n / 100
		}
		if len(live) == 0 || all <= budget {
			return -1
		}
		i := len(live)
		for i > 0 && (i == len(live) || sum+int64(live[i-1].tokens) <= budget) {
			i--
			sum += int64(live[i].tokens)
		}
		at = live[i]
	}
	if !at.recorded() {
		return place(at.message())
	}
	return j.head(at)
}

func (j *judge) chars(m nmsg) int64 {
	n := int64(m.runes)
	if m.recorded() {
		for _, c := range j.thread.At(m.message()).Calls {
			n += int64(c.Args.Len)
		}
	}
	return n
}
