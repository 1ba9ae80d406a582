package diff

import (
	"fmt"
	"testing"

	"agentlens/internal/library/rundiff"
	"agentlens/internal/model"
)

// TestMovedMessages checks that messages which a view has in another order than the history are neither removed nor added.
func TestMovedMessages(t *testing.T) {
	entry := func(index int32, fate model.Fate) model.Entry {
		return model.Entry{Index: index, Fate: fate, Role: model.User}
	}
	v := &model.View{Entries: []model.Entry{
		entry(0, model.WasDropped), entry(1, model.WasDropped), entry(4, model.Kept), entry(2, model.Kept), entry(3, model.Kept), entry(-1, model.Added), entry(5, model.Kept),
	}}
	if got := fmt.Sprint(indexes(givenOf(v))); got != "[0 1 2 3 4 5]" {
		t.Errorf("history %s", got)
	}
	got := ""
	for _, r := range stretches(moved(RowsOf(givenOf(v), rundiff.Sent(v)))) {
		got += fmt.Sprintf("%c%d-%d ", "=~-+"[r.Kind], r.first, r.last)
	}
	if want := "-0-0 -1-1 =4-4 =2-3 +-1--1 =5-5 "; got != want {
		t.Errorf("joined rows %s, want %s", got, want)
	}
	got = ""
	for _, r := range moved(RowsOf(givenOf(v), rundiff.Sent(v))) {
		got += fmt.Sprintf("%c%d ", "=~-+"[r.Kind], r.first)
	}
	if want := "-0 -1 =4 =2 =3 +-1 =5 "; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
}

func indexes(list []*model.Entry) (all []int32) {
	for _, e := range list {
		all = append(all, e.Index)
	}
	return all
}
