package ui

import (
	"slices"

	"agentlens/internal/export"
	"agentlens/internal/model"
)

// brokenPairs counts the calls of a view whose result the view leaves out, and the
// results whose call it leaves out. What the record itself leaves open, or what was
// not given to the call yet, is no broken pair.
func brokenPairs(t *model.Thread, v *model.View) (broken int) {
	sent := make(map[int32]*model.Entry, len(v.Entries))
	mended := map[string]bool{} // calls that a stage made a result for
	for i := range v.Entries {
		e := &v.Entries[i]
		switch {
		case e.Fate == model.WasDropped:
		case e.Index >= 0:
			sent[e.Index] = e
		case e.Answers != nil:
			mended[e.Answers.CallID] = true
		}
	}
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Index < 0 {
			continue
		}
		m := t.At(int(e.Index))
		dropped := e.Fate == model.WasDropped
		if dropped && m.Group >= 0 && m.Group != e.Index && hasCall(t, sent[m.Group], e.Index) && !mended[m.CallID] {
			broken++ // a call without its result
		}
		if !dropped && m.Group >= 0 && m.Group != e.Index && !hasCall(t, sent[m.Group], e.Index) {
			broken++ // a result without its call
		}
	}
	return broken
}

// hasCall reports whether an entry, nil for none, still makes the call that message
// result answers. Where the record links results by place alone, the message is
// enough.
func hasCall(t *model.Thread, e *model.Entry, result int32) bool {
	if e == nil {
		return false
	}
	m := t.At(int(e.Index))
	linked := slices.IndexFunc(m.Calls, func(c model.ToolCall) bool { return c.Result == result })
	return linked < 0 || slices.Contains(export.LeftCalls(m, e), linked)
}

// pairsWord says whether a view leaves pairs of calls and results whole.
func pairsWord(s *shown) words {
	switch {
	case s.broken > 0:
		return plural(s.broken, "broken pair")
	case s.chain != "" && s.counts[model.WasDropped]+s.counts[model.WasChanged] > 0 && s.paired:
		return "pairs whole"
	}
	return ""
}
