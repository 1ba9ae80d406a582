package view

import (
	"fmt"
	"slices"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/redact"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/source"
)

// TestTexts divides a text into the messages it came from. Escape sequences are visible.
func TestTexts(t *testing.T) {
	arena := &source.Arena{}
	b := model.NewThread("t", "main")
	b.Add(model.Message{Role: model.User, Parts: []model.Part{{Body: arena.Add("one\x1b[2J", "")}}})
	thread := b.Build()
	run := &model.Run{Threads: []*model.Thread{thread}, Bodies: arena}
	v := &model.View{Form: model.TextForm, Rendered: []model.Entry{{Index: model.NoMessage, Role: model.User, Fate: model.Added, Tokens: 7, Content: &model.EntryContent{Text: []model.Piece{{Insert: "H: one\x1b[2J\nT"}}}, Cause: &model.Cause{Why: "agent.input"}, Extra: &model.Extra{Sources: []model.Source{{End: 3, Fate: model.Added}, {Start: 3, End: 10, Index: model.Some(0)}, {Start: 10, End: 12, Fate: model.Added}}}}}}
	g, err := safe.NewGate(redact.Options{Level: redact.Default})
	if err != nil {
		t.Fatal(err)
	}
	r := &Reader{Gate: g, Run: run, Thread: thread}
	texts, err := r.Texts(v)
	if err != nil || len(texts) != 1 || texts[0].Tokens != 7 || texts[0].Reason.String() != "agent.input" {
		t.Fatalf("%+v, %v", texts, err)
	}
	var got []string
	for _, s := range texts[0].Segments {
		got = append(got, fmt.Sprintf("%d %s %q", s.Index.Or(-1), s.Fate, s.Text))
	}
	if want := []string{`-1 added "H: "`, `0 kept "one` + "␛" + `[2J"`, `-1 added "\nT"`}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if texts, err := r.Texts(&model.View{}); texts != nil || err != nil {
		t.Errorf("messages have no texts: %v, %v", texts, err)
	}
}
