package claudecode

import (
	"slices"

	"agentlens/internal/model"
)

// A segment is the part of a conversation that a compaction kept word for word. What was sent afterwards is the summary,
// the segment, and the new messages, in this order. In the file, the segment keeps its place before the compaction, so
// its records, and those that follow it, may name parents that skip the compaction or come after it.
type segment struct {
	boundary int32   // the record of the compaction
	anchor   int32   // the record that the segment follows: the last summary, or the boundary itself
	recs     []int32 // in the order of the conversation
}

// findSegments resolves the records that compactions kept, and the records that precede those in the conversation.
func (x *index) findSegments() {
	for i := range x.marks {
		m := &x.marks[i]
		if m.kind != model.Compaction || m.rec < 0 || m.kept == nil {
			continue
		}
		s := segment{boundary: m.rec, anchor: x.record(m.kept.anchor), recs: x.listed(m.kept.all, m.thread)}
		if len(s.recs) == 0 {
			s.recs = x.listed(m.kept.uuids, m.thread)
		}
		if len(s.recs) == 0 {
			s.recs = x.listed([]uint64{m.kept.head, m.kept.tail}, m.thread)
		}
		if len(s.recs) == 0 {
			continue
		}
		if x.preceding == nil {
			x.preceding, x.inSegments = map[int32]int32{}, map[int32][]segment{}
		}
		for j, r := range s.recs {
			if up, ok := x.within(s, j); ok {
				x.preceding[r] = up
			}
			x.inSegments[r] = append(x.inSegments[r], s)
		}
	}
}

// listed returns the records of a thread with the given id hashes.
func (x *index) listed(uuids []uint64, thread int32) (recs []int32) {
	for _, id := range uuids {
		if r := x.record(id); id != 0 && r >= 0 && x.recs.At(r).thread == thread {
			recs = append(recs, r)
		}
	}
	return slices.Compact(recs)
}

// within returns the record before the j-th record of a segment, if the parent is another: Claude Code may record the
// summary as the parent, or a record that a later compaction copied.
func (x *index) within(s segment, j int) (up int32, ok bool) {
	r := s.recs[j]
	parent := x.record(x.recs.At(r).parent)
	if j > 0 {
		before := s.recs[j-1]
		if parent >= before && parent < r && parent != s.anchor && parent != s.boundary {
			return 0, false
		}
		return before, true
	}
	if parent < 0 || parent != s.anchor && parent != s.boundary {
		return 0, false
	}
	for up = min(r, s.boundary) - 1; up >= 0 && (!x.recs.At(up).leafable || x.recs.At(up).thread != x.recs.At(r).thread); up-- {
	}
	return up, true
}

// across returns the record before r in the conversation, where up is its parent: the summary of a compaction, if r was
// recorded after it and continues what the compaction kept.
func (x *index) across(r, up int32) int32 {
	for _, s := range slices.Backward(x.inSegments[up]) {
		same := func(of segment) bool { return of.boundary == s.boundary }
		if r > s.anchor && s.anchor >= s.boundary && !slices.ContainsFunc(x.inSegments[r], same) {
			return s.anchor
		}
	}
	return up
}

// A kept lists the records that a compaction kept, by hashes of their ids.
type kept struct {
	uuids, all         []uint64 // the messages; all records
	head, tail, anchor uint64
	units              []int32 // the messages, once all records are read
	follow             int32   // unit of the summary that they follow, or -1
}

// resolve finds the units that a compaction kept.
func (x *index) resolve(k *kept, m *mark) {
	k.follow = -1
	if a := x.record(k.anchor); a >= 0 && a > m.rec {
		k.follow = x.recs.At(a).unit
	}
	recs := x.listed(k.uuids, m.thread)
	if len(recs) == 0 {
		if ends := x.listed([]uint64{k.head, k.tail}, m.thread); len(ends) == 2 {
			for r := ends[0]; r <= ends[1]; r++ {
				recs = append(recs, r)
			}
		}
	}
	seen := map[int32]bool{}
	for _, r := range recs {
		rec := x.recs.At(r)
		for u := rec.unit; u >= 0 && u < rec.unit+rec.units && rec.thread == m.thread; u++ {
			if !seen[u] {
				k.units = append(k.units, u)
			}
			seen[u] = true
		}
	}
}

// late returns the units that a compaction kept although the file holds them after it.
func (m *mark) late() (units []int32) {
	if m.kept == nil {
		return nil
	}
	for _, u := range m.kept.units {
		if u >= m.unit {
			units = append(units, u)
		}
	}
	return units
}
