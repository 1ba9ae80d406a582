package engine

import (
	"testing"

	"agentlens/internal/model"
)

func TestWindows(t *testing.T) {
	thread := &model.Thread{Calls: []model.Call{
		{Number: 1, Model: "small"}, {Number: 2, Model: "big"}, {Number: 3, Model: "other", Window: 64_000}, {Number: 4}, {Number: 5, Model: "odd"}, {Number: 6, Model: "big", Window: 258_400},
	}}
	asked := 0
	table := func(name string) int64 {
		asked++
		return map[string]int64{"small": 8000, "big": 1_000_000}[name]
	}
	for _, tc := range []struct {
		windows Windows
		want    [7]int64 // the last is the call after the record
	}{
		{Windows{Of: table}, [7]int64{8000, 258_400, 64_000, 258_400, 0, 258_400, 258_400}},
		{Windows{Said: 5, Of: table}, [7]int64{5, 5, 5, 5, 5, 5, 5}},
		{Windows{}, [7]int64{0, 258_400, 64_000, 258_400, 0, 258_400, 258_400}},
	} {
		at := tc.windows.At(thread)
		for i, want := range tc.want {
			if got := at(i + 1); got != want {
				t.Errorf("said %d, at call %d: %d, want %d", tc.windows.Said, i+1, got, want)
			}
		}
	}
	none := &model.Thread{}
	if got := (Windows{Of: table}).At(none)(1); got != 0 {
		t.Errorf("a thread without a model has a window of %d", got)
	}
	thread.Calls[5].Window = 0
	asked = 0
	at := Windows{Of: table}.At(thread)
	for i := range 7 {
		at(i + 1)
	}
	if asked != 3 || at(2) != 1_000_000 {
		t.Errorf("the table was asked %d times for three models; call 2 has %d", asked, at(2))
	}
}
