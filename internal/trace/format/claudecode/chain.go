package claudecode

import "agentlens/internal/model"

// live reports for each unit whether it belongs to the current conversation. Rewound
// and edited units do not belong to it. Units of other threads are always live.
func (x *index) live() []bool {
	on := make([]bool, x.units.Len())
	liveRec := x.liveRecs()
	for i := range liveRec {
		if r := x.recs.At(int32(i)); r.unit >= 0 && (liveRec[i] || r.thread != 0) {
			for u := range r.units {
				on[r.unit+u] = true
			}
		}
	}
	var calls map[string]bool
	for u := range on {
		if on[u] {
			continue
		}
		m, unit := x.msgs.At(int32(u)), x.units.At(int32(u))
		if calls == nil {
			calls = x.liveCalls(on)
		}
		switch {
		case unit.rec < 0:
			on[u] = true
		case m.Role == model.Tool && calls[m.CallID]: // together with the texts of its record
			r := x.recs.At(unit.rec)
			for i := range r.units {
				on[r.unit+i] = true
			}
		}
	}
	return on
}

// liveRecs marks the records of the main conversation, starting at the newest. At the
// root of a context it continues with the newest message before the root in the file. If
// the parents form a cycle, it continues with the previous record in the file.
func (x *index) liveRecs() []bool {
	x.findSegments()
	live := make([]bool, x.recs.Len())
	left := int32(x.recs.Len()) // after a cycle or a root, records from this index on have already been tried
	for r := x.leafRec(); r >= 0; {
		live[r] = true
		x.head = r
		up := x.before(r)
		switch {
		case up >= 0 && live[up]:
			x.Note(model.WarnBrokenParent, x.placeOf(r), "the parents of records go round in a ring: from this one on those before it in the file are taken")
			for up = min(left, r) - 1; up >= 0 && (live[up] || x.recs.At(up).thread != 0); up-- {
			}
			left = up + 1
		case x.recs.At(r).root:
			for up = min(left, r) - 1; up >= 0 && !x.leaves(up, live); up-- {
			}
			left = up + 1
			if up >= 0 {
				x.cleared[r] = true
			}
		}
		r = up
	}
	return live
}

// leaves reports whether the conversation of a context may end at record r.
func (x *index) leaves(r int32, live []bool) bool {
	rec := x.recs.At(r)
	return rec.leafable && rec.thread == 0 && !live[r]
}

// placeOf returns the location of record r, or "" if the record produced no unit.
func (x *index) placeOf(r int32) string {
	u := x.recs.At(r).unit
	if u < 0 || len(x.msgs.At(u).Origin) == 0 {
		return ""
	}
	return x.files.Where(x.msgs.At(u).Origin[0])
}

// liveCalls returns the ids of the live calls of the main thread.
func (x *index) liveCalls(on []bool) map[string]bool {
	calls := map[string]bool{}
	for u := range on {
		if on[u] && x.units.At(int32(u)).thread == 0 {
			for _, c := range x.msgs.At(int32(u)).Calls {
				calls[c.ID] = true
			}
		}
	}
	return calls
}

// leafRec returns the newest record of the main thread, or -1. A recorded leaf takes
// precedence unless the newest record descends from it.
func (x *index) leafRec() int32 {
	newest := int32(-1)
	for i := int32(x.recs.Len()) - 1; i >= 0; i-- {
		if r := x.recs.At(i); r.leafable && r.thread == 0 {
			newest = i
			break
		}
	}
	leaf := x.record(x.leaf)
	if leaf < 0 || x.leaf == 0 || newest < 0 || x.recs.At(leaf).thread != 0 {
		return newest
	}
	seen := map[int32]bool{}
	for r := newest; r >= 0 && !seen[r]; r = x.before(r) {
		if r == leaf {
			return newest
		}
		seen[r] = true
	}
	return leaf
}

// before returns the index of the record that precedes r in the chain, or -1 at a
// root. This is the parent or, without one, the logical parent. If the file does not
// contain the parent, before returns the previous record of the thread. Where a compaction
// kept messages, the order is that of the conversation.
func (x *index) before(r int32) int32 {
	if up, ok := x.kept.preceding[r]; ok {
		return up
	}
	up := x.recs.At(r).parent
	if up == 0 {
		up = x.recs.At(r).logical
	}
	if x.recs.At(r).root {
		return -1
	}
	if r > 0 && x.recs.At(r-1).uuid == up { // the usual case
		return x.across(r, r-1)
	}
	if p := x.record(up); p >= 0 {
		return x.across(r, p)
	}
	for i := r - 1; i >= 0; i-- {
		if x.recs.At(i).thread == x.recs.At(r).thread {
			return i
		}
	}
	return -1
}
