package evidence

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"agentlens/internal/model"
)

// numberStore keeps numbers in memory.
type numberStore struct {
	model.SizeStore
	kept map[string][]int32
}

func (s numberStore) LoadNumbers(_ *model.Run, _ *model.Thread, what string) ([]int32, bool) {
	list, ok := s.kept[what]
	return list, ok
}

func (s numberStore) SaveNumbers(_ *model.Run, _ *model.Thread, what string, numbers []int32) {
	s.kept[what] = slices.Clone(numbers)
}

// TestKeptHolders checks that kept numbers give the same evidence, and that damaged ones are not used.
func TestKeptHolders(t *testing.T) {
	lines := []string{"user: please fix internal/ledger/round.go and never touch 0042_ledger.sql"}
	for i := range 2 * holderBlock {
		lines = append(lines, "assistant: read(internal/ledger/round.go)", fmt.Sprintf("tool: line %d says errRounding%d", i, i), fmt.Sprintf("assistant: it is errRounding%d in internal/ledger/round.go", i))
	}
	in, want := lossSaid(t, lines...)
	store := numberStore{kept: map[string][]int32{}}
	in.Run.Kept = store
	for _, damage := range []func(list []int32) []int32{
		nil,
		func(list []int32) []int32 { return list },
		func(list []int32) []int32 { return list[:len(list)-1] },
		func(list []int32) []int32 { return append(list, 0) },
		func(list []int32) []int32 { list[0] = -1; return list },
	} {
		for what, list := range store.kept {
			store.kept[what] = damage(list)
		}
		got, err := Find(context.Background(), in.Run, in.Thread)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := fmt.Sprint(got.calls, got.demands), fmt.Sprint(want.calls, want.demands); a != b {
			t.Errorf("got %.200s, want %.200s", a, b)
		}
		for i := range want.words {
			if a, b := &got.words[i], &want.words[i]; !slices.Equal(a.holders, b.holders) || !slices.Equal(a.hints, b.hints) {
				t.Fatalf("word %d is in %v and %v, want %v and %v", i, a.holders, a.hints, b.holders, b.hints)
			}
		}
	}
	if len(store.kept) != 1 {
		t.Errorf("%d lists are kept, want 1", len(store.kept))
	}
}
