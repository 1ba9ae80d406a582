package ui

import (
	"fmt"
	"strings"

	"agentlens/internal/curate"
	"agentlens/internal/model"
)

// This file is what a marker of the record did to the views after it.

// cuts reports whether markers of a kind take messages out of views, or change them.
func cuts(kind model.MarkerKind) bool {
	switch kind {
	case model.Compaction, model.Microcompaction, model.ContextEdit, model.HistoryCurated, model.StepSummarised:
		return true
	}
	return false
}

// cutFacts says what the first view after a marker leaves out or changes that the view
// before it did not.
func cutFacts(k *model.Marker, s *shown, of *curate.Replayed) []fact {
	after := s.thread.CallAfter(k.After)
	if of == nil || !of.Has(after) {
		return []fact{{"dropped", "not recorded"}}
	}
	was := map[int32]*model.Entry{}
	if after > 1 && of.Has(after-1) {
		before := of.View(after - 1).Entries
		for i := range before {
			was[before[i].Index] = &before[i]
		}
	}
	dropped, edited := &filling{thread: s.thread}, &filling{thread: s.thread}
	for _, e := range of.View(after).Entries {
		if e.Index < 0 || int(e.Index) > k.After {
			continue
		}
		fate, size := model.Kept, e.WasTokens
		if old := was[e.Index]; old != nil {
			fate, size = old.Fate, old.Tokens
		}
		switch {
		case e.Fate == fate:
		case e.Fate == model.WasDropped:
			dropped.add(e.Index, e.Role, int64(size))
		case e.Fate == model.WasChanged:
			edited.add(e.Index, e.Role, int64(size-e.Tokens))
		}
	}
	var facts []fact
	if len(dropped.all) > 0 {
		facts = append(facts, fact{"dropped", tallyWords(dropped.tally(), s.exact)}, fact{"of them", dropped.kinds(s.exact)}, fact{"largest", dropped.largest(s.exact)})
	}
	if len(edited.all) > 0 {
		facts = append(facts, fact{"changed", string(plural(len(edited.all), "message") + ", " + about(edited.tally().Tokens, false) + " tokens less")}, fact{"most in", edited.largest(false)})
	}
	if len(facts) == 0 {
		facts = append(facts, fact{"dropped", "nothing"})
	}
	if next := k.After + 1; next < s.thread.Len() && s.thread.At(next).Badges.Has(model.Summary) {
		facts = append(facts, fact{"in its place", fmt.Sprintf("message %d, a summary, %s tokens", next, about(int64(s.tokens[next]), s.exact))})
	}
	return facts
}

// detailFact words what a marker records: "85.1k tokens" before, not pre_tokens.
func detailFact(d model.Detail) fact {
	value := fmt.Sprint(d.Value)
	if n, ok := d.Value.(int64); ok {
		value = string(figure(n))
	}
	switch d.Key {
	case "pre_tokens", "tokens_before":
		return fact{"size before", value + " tokens"}
	case "post_tokens", "tokens_after":
		return fact{"size after", value + " tokens"}
	case "tokens_saved":
		return fact{"saved", value + " tokens"}
	}
	return fact{strings.ReplaceAll(d.Key, "_", " "), value}
}
