package chain

import (
	"math"

	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// This file describes the effect of a chain on its call.

// effect describes the effect of a view on its call: "42% fewer tokens · 9 dropped · 2 changed". If
// against is set, it also compares the view with the recorded prompt.
func effect(s *view.Aligned, against bool) kit.Words {
	if s == nil {
		return ""
	}
	v := s.View
	all, left := v.Original.Tokens, v.Curated.Tokens
	against = against && s.Was > 0
	var w kit.Words
	switch {
	case all == 0:
	case s.Counts[model.Unrecorded] > 0:
		w = "recorded up to a cut"
	case all == left:
		w = "nothing left out"
	case against:
		w = change(all, left, v.Estimated) + " tokens than all"
	default:
		w = change(all, left, v.Estimated) + " tokens"
	}
	switch {
	case !against:
	case s.Was == left:
		w += ", as many as were sent"
	case left >= 3*s.Was:
		w += ", ~" + kit.Figure((left+s.Was/2)/s.Was) + " times what was sent"
	default:
		w += ", " + change(s.Was, left, v.Estimated) + " than were sent"
	}
	unsure := 0
	for i := range s.Gaps {
		if g := &s.Gaps[i]; g.Unrecorded && s.Items[g.First].Kind == view.MessageItem {
			unsure += g.Count
		}
	}
	for _, f := range [...]struct {
		n    int
		name kit.Words
	}{{s.Counts[model.WasDropped], "dropped"}, {s.Counts[model.WasChanged], "changed"}, {s.Counts[model.Added], "added"}, {unsure, "not recorded"}} {
		if f.n > 0 {
			w += " · " + kit.Figure(int64(f.n)) + " " + f.name
		}
	}
	if n := s.Problems; n > 0 && !s.WhatIf { // the full history is only assumed, so its problems are not reported
		w += " · " + kit.Plural(n, "problem") + " (i)"
	}
	return w
}

// change describes how a token count changed from was to is: "~42% fewer".
func change(was, is int64, estimated bool) (w kit.Words) {
	switch p := int64(math.Round(100 * (float64(is)/float64(was) - 1))); {
	case p < 0:
		w = kit.Figure(-p) + "% fewer"
	case p > 0:
		w = kit.Figure(p) + "% more"
	default:
		w = "±0%"
	}
	if estimated {
		w = "~" + w
	}
	return w
}

// fixed describes the part of the context outside the messages. The header includes it; the panes
// do not.
func fixed(s *view.Aligned) kit.Words {
	if s == nil || s.Rest <= 0 {
		return ""
	}
	return " · + " + kit.About(s.Rest, false) + " " + s.RestWords()
}

// pairs reports whether a view keeps calls together with their results. It returns "" if the view
// has none.
func pairs(s *view.Aligned) kit.Words {
	switch {
	case s.Broken > 0:
		return kit.Plural(s.Broken, "broken pair")
	case s.Chain != "" && s.Counts[model.WasDropped]+s.Counts[model.WasChanged] > 0 && s.Paired:
		return "pairs whole"
	}
	return ""
}
