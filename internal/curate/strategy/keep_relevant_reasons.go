package strategy

import (
	"fmt"
	"sort"

	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

// explain adds the score of each dropped message to its reason, with the number of kept messages that scored
// higher. It compares the recorded texts, so it leaves the reasons unchanged if an earlier stage may have
// changed the texts.
func (r *relevant) explain(v *model.View, name string, limit int64) {
	n := sort.Search(len(r.byCall), func(i int) bool { return r.byCall[i].call > v.Call })
	if n == 0 || v.Stages[0].Stage != name {
		return
	}
	q := r.byCall[n-1]
	query := r.index.Query(q.words, q.asked)
	earlier := map[engine.Key]float64{}
	for k, score := range query.Earlier() {
		unit := r.space.UnitHead(k)
		earlier[unit] = max(earlier[unit], score)
	}
	later := map[engine.Key]float64{}
	scoreOf := func(e *model.Entry) float64 {
		unit := r.space.UnitHead(r.space.KeyOf(int(e.Index)))
		if unit < q.asked {
			return earlier[unit]
		}
		if _, ok := later[unit]; !ok {
			later[unit] = r.later(query, unit)
		}
		return later[unit]
	}
	var kept []float64
	for i := range v.Entries {
		if e := &v.Entries[i]; e.Fate == model.Kept && e.Index >= 0 && e.Role != model.System {
			kept = append(kept, scoreOf(e))
		}
	}
	sort.Float64s(kept)
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Fate != model.WasDropped || e.By() != name {
			continue
		}
		score := scoreOf(e)
		higher := len(kept) - sort.Search(len(kept), func(i int) bool { return kept[i] > score })
		e.Cause = &model.Cause{By: name, Why: scoredReason(score, higher, len(kept), limit)}
	}
}

func scoredReason(score float64, higher, kept int, limit int64) string {
	filled := fmt.Sprintf("%s tokens went to %s", chain.Comma(int(limit)), counted(kept, "message"))
	switch {
	case score == 0:
		return "shares no significant word with the last question; " + filled
	case higher == 0:
		return fmt.Sprintf("scored %.1f for its words shared with the last question, but its group does not fit in the rest of %s tokens", score, chain.Comma(int(limit)))
	}
	return fmt.Sprintf("scored %.1f for its words shared with the last question; %s, %d of them with higher scores", score, filled, higher)
}

func counted(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return chain.Comma(n) + " " + word
}
