package strategy

import (
	"slices"

	"agentlens/internal/curate/lint"
	"agentlens/internal/model"
)

// brokenPairs returns a function that finds the calls and results of a view whose counterpart was
// given and is not in the view. The message of such a problem is the error text of the run's
// provider. Pairs that are incomplete in the record are not reported.
func (a *args) brokenPairs() func(v *model.View) []model.Problem {
	run, t := a.in.Run, a.in.Thread
	if run == nil || t == nil {
		return func(*model.View) []model.Problem { return nil }
	}
	provider, linter := lint.ProviderOf(run, t), lint.New(run, t, 0)
	return func(v *model.View) []model.Problem {
		dropped := map[int32]bool{}
		for i := range v.Entries {
			if e := &v.Entries[i]; e.Fate == model.WasDropped || e.Calls != nil {
				dropped[e.Index] = true
			}
		}
		found, err := linter.Check(v, provider)
		if err != nil {
			return []model.Problem{{Rule: "not-checked", Message: "the pairs of calls and results could not be checked: " + err.Error()}}
		}
		return slices.DeleteFunc(found, func(p model.Problem) bool {
			return !slices.Contains(lint.PairRules(), p.Rule) || !counterpart(t, p.Index.Or(-1), dropped)
		})
	}
}

// counterpart reports whether a message that message i is paired with is marked.
func counterpart(t *model.Thread, i int, marked map[int32]bool) bool {
	return i >= 0 && slices.ContainsFunc(t.Members(i), func(m int32) bool { return int(m) != i && marked[m] })
}
