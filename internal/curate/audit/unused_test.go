package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"agentlens/internal/curate/models"
	"agentlens/internal/model"
)

// numberStore keeps numbers in memory, but no sizes.
type numberStore map[string][]int32

func (s numberStore) Load(*model.Run, *model.Thread, string) (tokens, runes []int32, ok bool) {
	return nil, nil, false
}
func (s numberStore) Save(*model.Run, *model.Thread, string, []int32, []int32) {}

func (s numberStore) LoadNumbers(_ *model.Run, _ *model.Thread, what string) ([]int32, bool) {
	list, ok := s[what]
	return slices.Clone(list), ok
}

func (s numberStore) SaveNumbers(_ *model.Run, _ *model.Thread, what string, numbers []int32) {
	s[what] = slices.Clone(numbers)
}

// TestUnusedResults checks which results are unused, and that kept verdicts are completed and replaced if they are damaged.
func TestUnusedResults(t *testing.T) {
	result := func(name string) string {
		return strings.Repeat(fmt.Sprintf("%sOneValue, %sTwoValue and %sThreeValue. ", name, name, name), 40)
	}
	lines := []line{{role: model.User, text: "go on"}}
	for _, name := range []string{"alphaZed", "betaZed"} {
		lines = append(lines,
			line{role: model.Assistant, text: "I read.", tool: "Read", args: `{"file_path":"` + name + `"}`, input: 1000},
			line{role: model.Tool, text: result(name)})
	}
	for range 6 {
		lines = append(lines, line{role: model.Assistant, text: "It is alphaZedTwoValue.", input: 3000}, line{role: model.User, text: "more"})
	}
	run := made(lines...)
	store := numberStore{}
	run.Kept = store
	of := func(prices func(string) models.Prices) string {
		f := find(audited(t, run, prices), UnusedResult)
		if f == nil {
			return "none"
		}
		return fmt.Sprint(f.Messages)
	}
	verdicts := func() []int32 {
		for what := range maps.Keys(store) {
			if strings.HasPrefix(what, unusedRules) {
				return store[what]
			}
		}
		return nil
	}
	for _, damage := range []func(list []int32) []int32{
		nil,
		func(list []int32) []int32 { return list },
		func(list []int32) []int32 { list[4] = notJudged; return list },
		func(list []int32) []int32 { return list[1:] },
	} {
		for what, list := range store {
			store[what] = damage(list)
		}
		if got := of(prices); got != "[4]" {
			t.Errorf("unused: %s, want [4]", got)
		}
		if got := verdicts(); len(got) != run.Threads[0].Len() || got[2] != isUsed || got[4] != isUnused {
			t.Errorf("the kept verdicts are %v", got)
		}
	}
	verdicts()[4] = isUsed
	if got := of(prices); got != "none" {
		t.Errorf("unused: %s, although another verdict is kept", got)
	}
}
