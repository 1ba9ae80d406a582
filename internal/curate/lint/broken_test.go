package lint

import (
	"testing"

	"agentlens/internal/model"
)

func TestBrokenPairs(t *testing.T) {
	call := func(id string, result int32) model.ToolCall {
		return model.ToolCall{ID: id, Name: "read", Result: model.Some(result)}
	}
	b := model.NewThread("t", "main")
	b.Add(model.Message{Role: model.User})
	b.Add(model.Message{Role: model.Assistant, Calls: []model.ToolCall{call("a", 2), call("b", 3)}})
	b.Add(model.Message{Role: model.Tool, CallID: "a", Group: 1})
	b.Add(model.Message{Role: model.Tool, CallID: "b", Group: 1})
	b.Add(model.Message{Role: model.Assistant, Calls: []model.ToolCall{call("", -1)}})
	b.Add(model.Message{Role: model.Tool, Group: 4}) // its record does not name a call
	th := b.Build()
	if th.At(2).Group != 1 || th.At(5).Group != 4 {
		t.Fatalf("the results lie in groups %d and %d", th.At(2).Group, th.At(5).Group)
	}
	drop := func(list ...int) func(*model.View) {
		return func(v *model.View) {
			for _, i := range list {
				v.Entries[i].Fate = model.WasDropped
			}
		}
	}
	for _, tc := range []struct {
		name   string
		change func(v *model.View)
		want   int
	}{
		{"all of it", drop(), 0},
		{"no message of a person", drop(0), 0},
		{"a call without its result", drop(2), 1},
		{"two calls without their results", drop(2, 3), 2},
		{"two results without their calls", drop(1), 2},
		{"one of them, the other is gone too", drop(1, 2), 1},
		{"none of it", drop(1, 2, 3), 0},
		{"an unlinked result without its message", drop(4), 1},
		{"a message without its unlinked result", drop(5), 1},
		{"a call left out, and its result", func(v *model.View) { v.Entries[1].SetCalls([]int{1}); v.Entries[2].Fate = model.WasDropped }, 0},
		{"a call left out, but not its result", func(v *model.View) { v.Entries[1].SetCalls([]int{0}) }, 1},
		{"all calls left out", func(v *model.View) { v.Entries[1].SetCalls([]int{}) }, 2},
		{"a result that a stage made", func(v *model.View) {
			v.Entries[2].Fate = model.WasDropped
			v.Entries = append(v.Entries, model.Entry{Index: model.NoMessage, Role: model.Tool, Fate: model.Added, Extra: &model.Extra{Answers: &model.Answer{Message: 1, CallID: "a"}}})
		}, 0},
		{"a result that was not given yet", func(v *model.View) { v.Entries = v.Entries[:3] }, 0},
	} {
		v := &model.View{}
		for i := range th.Len() {
			v.Entries = append(v.Entries, model.Entry{Index: int32(i), Role: th.At(i).Role})
		}
		tc.change(v)
		if got := BrokenPairs(th, v); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.want)
		}
	}
}
