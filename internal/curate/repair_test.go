package curate

import (
	"context"
	"strings"
	"testing"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// threadOf makes a thread of what a view holds: the request, as a record.
func threadOf(t *testing.T, run *model.Run, thread *model.Thread, v *model.View) (*model.Run, *model.Thread) {
	t.Helper()
	g := newGenerator(1)
	for i := range v.Entries {
		e := &v.Entries[i]
		if e.Fate == model.WasDropped {
			continue
		}
		m := model.Message{Role: e.Role}
		text := ""
		if e.Answers != nil {
			m.CallID, m.ToolName = e.Answers.CallID, e.Answers.ToolName
		}
		if e.Index >= 0 {
			from := thread.At(int(e.Index))
			m.CallID, m.ToolName = from.CallID, from.ToolName
			var err error
			if text, err = run.Text(from); err != nil {
				t.Fatal(err)
			}
			for j, c := range from.Calls {
				if has(e, j) {
					m.Calls = append(m.Calls, model.ToolCall{ID: c.ID, Name: c.Name, Args: g.arena.Add("{}", "test")})
				}
			}
			if from.HasThinking() && !e.NoThinking {
				m.Parts = append(m.Parts, model.Part{Kind: model.Thinking, Body: g.arena.Add("hmm", "test")})
			}
		}
		if e.Text != nil {
			text = model.Join(text, e.Text)
		}
		g.add(m, text)
	}
	made := g.b.Build()
	return &model.Run{Threads: []*model.Thread{made}, Bodies: g.arena}, made
}

// TestRepairTwice holds that what was repaired needs no repair.
func TestRepairTwice(t *testing.T) {
	for seed := range uint64(40) {
		run, thread := conversation(seed, 60)
		sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
		if err != nil {
			t.Fatal(err)
		}
		r := views(t, Input{Run: run, Thread: thread, Sizes: sizes}, "repair")
		run2, thread2 := threadOf(t, run, thread, r.View(r.Calls()+1))
		if sizes, err = Measure(context.Background(), run2, thread2, tokens.Estimate{}); err != nil {
			t.Fatal(err)
		}
		again := views(t, Input{Run: run2, Thread: thread2, Sizes: sizes}, "repair")
		for _, e := range again.View(1).Entries {
			if e.Fate != model.Kept {
				t.Fatalf("seed %d: message %d of the repaired view is %s: %s", seed, e.Index, e.Fate, e.Reason)
			}
		}
	}
}

func TestRepair(t *testing.T) {
	g := newGenerator(1)
	call := func(ids ...string) {
		m := model.Message{Role: model.Assistant}
		for _, id := range ids {
			m.Calls = append(m.Calls, model.ToolCall{ID: id, Name: "look", Args: g.arena.Add("{}", "test")})
		}
		g.add(m, "")
	}
	result := func(id, text string) { g.add(model.Message{Role: model.Tool, CallID: id}, text) }
	say := func(role model.Role, text string) { g.add(model.Message{Role: role}, text) }
	result("lost", "of no call")
	say(model.User, "go on")
	say(model.User, "please")
	call("c1", "c2", "c3")
	result("c2", "two")
	say(model.User, "and")
	say(model.Assistant, "well")
	say(model.Assistant, "done")
	result("c4", "before its call")
	call("c4", "c5")
	result("c5", "five")
	say(model.User, "bye")
	call("c6") // waits
	thread := g.b.Build()
	run := &model.Run{Threads: []*model.Thread{thread}, Bodies: g.arena}
	sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	v := views(t, Input{Run: run, Thread: thread, Sizes: sizes}, "repair").View(1)
	want := "1 user go on\n\nplease | 3 assistant  | + tool " + interrupted + " | + tool " + interrupted + " | 4 tool two | 5 user and | " +
		"6 assistant well\n\ndone | 9 assistant  | + tool " + interrupted + " | 10 tool five | 11 user bye | 12 assistant "
	if got := kept(t, run, thread, v); got != want {
		t.Errorf("repaired: %s\nwant %s", got, want)
	}
	var answers []string
	for _, e := range v.Entries {
		if e.Answers != nil {
			answers = append(answers, e.Answers.CallID+"/"+e.Answers.ToolName)
		}
		if e.Fate != model.Kept && e.Reason == "" {
			t.Errorf("message %d is %s and nothing says why", e.Index, e.Fate)
		}
	}
	if got := strings.Join(answers, " "); got != "c1/look c3/look c4/look" {
		t.Errorf("made-up results answer %s", got)
	}
}
