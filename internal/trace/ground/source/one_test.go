package source

import (
	"context"
	"errors"
	"strings"
	"testing"

	"agentlens/internal/model"
)

// TestOne checks that the only run is listed as it is loaded, and has no other id.
func TestOne(t *testing.T) {
	ctx := context.Background()
	r := One(func(context.Context, Options) (*model.Run, error) {
		return &model.Run{ID: "a", Title: "A", Source: "a.json", Status: model.StatusRunning}, nil
	})
	list, err := r.List(ctx)
	if err != nil || len(list) != 1 || list[0] != (Entry{ID: "a", Title: "A", Status: model.StatusRunning}) {
		t.Errorf("listed %+v, %v", list, err)
	}
	for _, id := range []string{"", "a"} {
		if run, err := r.Load(ctx, id, Options{}); err != nil || run.ID != "a" {
			t.Errorf("%q: %+v, %v", id, run, err)
		}
	}
	if run, err := r.Load(ctx, "b", Options{}); run != nil || err == nil || !strings.Contains(err.Error(), `a.json: no run "b"`) {
		t.Errorf("another id: %+v, %v", run, err)
	}
}

// TestLazy checks that a value is cached and a failure is not.
func TestLazy(t *testing.T) {
	var l Lazy[int]
	n := 0
	find := func() (int, error) {
		if n++; n == 1 {
			return 0, errors.New("not yet")
		}
		return n, nil
	}
	if _, err := l.Get(find); err == nil {
		t.Error("the first failed")
	}
	for range 2 {
		if got, err := l.Get(find); got != 2 || err != nil {
			t.Errorf("%d, %v", got, err)
		}
	}
}

// TestAgain checks that missing bytes cause an error that names the place.
func TestAgain(t *testing.T) {
	f, err := FromReader("a.jsonl", strings.NewReader("abc"))
	if err != nil {
		t.Fatal(err)
	}
	if data, err := f.Again(1, 2, ""); err != nil || string(data) != "bc" {
		t.Errorf("%q, %v", data, err)
	}
	for where, want := range map[string]string{"": "byte 1", "line 7": "line 7"} {
		if _, err := f.Again(1, 3, where); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "changed") {
			t.Errorf("%q: %v", where, err)
		}
	}
}
