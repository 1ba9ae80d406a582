package engine

import (
	"errors"
	"testing"

	"agentlens/internal/model"
)

// unread holds no text: reading one fails.
type unread struct{}

func (unread) Body(model.Ref) (string, error) { return "", errors.New("a text was read") }
func (unread) Where(model.Ref) string         { return "" }

// TestReplacedTextIsNotRead checks that the recorded text of a message whose text was replaced is not read, and that
// any other one is.
func TestReplacedTextIsNotRead(t *testing.T) {
	b := model.NewThread("t", "main")
	b.Add(model.Message{Role: model.Tool, Parts: []model.Part{{Kind: model.Text, Body: model.Ref{Len: 10}}}})
	thread := b.Build()
	for _, tc := range []struct {
		name  string
		edits []Edit
		want  string
		read  bool
	}{
		{"replaced", []Edit{Replace{Text: "cleared"}}, "cleared", false},
		{"replaced twice", []Edit{Replace{Text: "cleared"}, Replace{Text: "again"}}, "again", false},
		{"replaced, then without calls", []Edit{Replace{Text: "cleared"}, KeepCalls{Left: []int{}}}, "cleared", false},
		{"without calls", []Edit{KeepCalls{Left: []int{}}}, "", true},
	} {
		run := &model.Run{Bodies: unread{}}
		c := &Contents{Keyspace: newKeyspace(thread, func(int) int { return 0 }), size: sizer{run: run, read: true}}
		c.list.Add(Variant{})
		for i, e := range tc.edits {
			c.list.Add(Variant{edit: e, base: int32(i)})
		}
		text, _ := c.said(c.KeyOf(0), Item{Variant: int32(len(tc.edits)), Live: true})
		if text != tc.want || (c.Err() != nil) != tc.read {
			t.Errorf("%s: %q, error %v", tc.name, text, c.Err())
		}
	}
}
