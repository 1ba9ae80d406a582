package curate

import (
	"context"
	"strings"
	"testing"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// TestPresets runs every preset at every call of a conversation.
func TestPresets(t *testing.T) {
	run, thread := conversation(11, 120)
	sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Presets() {
		chain, err := Parse(p.Name)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		written, err := Parse(p.Chain)
		if err != nil || written.String() != chain.String() {
			t.Errorf("%s stands for %s, want %s (%v)", p.Name, chain, written, err)
		}
		r, err := Replay(context.Background(), Input{Run: run, Thread: thread, Sizes: sizes, Texts: true, Window: 40_000}, chain)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		v := r.View(r.Calls() + 1)
		pairsHold(t, p.Name, thread, v)
		explained(t, p.Name, run, thread, v, false)
	}
}

// TestCallShaped holds flujo's filter as it was measured.
func TestCallShaped(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "  \n": true, "Tool: read": true, " [tool] read": true, "see the function_call above": true,
		`{"name":"bob"}`: true, `{"Tool_Call": 1}`: true, `{"arguments": {}}`: true,
		`{"city":"Bonn"}`: false, `[{"name":"bob"}]`: false, `{"name": `: false, "the tool: a hammer": false, "hello": false,
	} {
		if got := callShaped(text); got != want {
			t.Errorf("%q is call-shaped: %v, want %v", text, got, want)
		}
	}
}

// TestKeepTextReads holds that call-shaped texts go once texts may be read.
func TestKeepTextReads(t *testing.T) {
	g := newGenerator(1)
	for _, text := range []string{"hello", `{"name":"bob"}`, "bye"} {
		g.add(model.Message{Role: model.User}, text)
	}
	thread := g.b.Build()
	run := &model.Run{Threads: []*model.Thread{thread}, Bodies: g.arena}
	sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	chain, err := Parse("keep_text")
	if err != nil {
		t.Fatal(err)
	}
	for read, want := range map[bool]string{true: "kept dropped kept", false: "kept kept kept"} {
		r, err := Replay(context.Background(), Input{Run: run, Thread: thread, Sizes: sizes, Texts: read}, chain)
		if err != nil {
			t.Fatal(err)
		}
		var fates []string
		for _, e := range r.View(1).Entries {
			fates = append(fates, e.Fate.String())
		}
		if got := strings.Join(fates, " "); got != want {
			t.Errorf("texts read: %v: %s, want %s", read, got, want)
		}
	}
}

// TestClearThinking holds what is left of replies without their thinking.
func TestClearThinking(t *testing.T) {
	g := newGenerator(1)
	for _, text := range []string{"one", "", "three"} {
		g.add(model.Message{Role: model.Assistant, Parts: []model.Part{{Kind: model.Thinking, Body: g.arena.Add(strings.Repeat("hmm ", 40), "test")}}}, text)
	}
	thread := g.b.Build()
	run := &model.Run{Threads: []*model.Thread{thread}, Bodies: g.arena}
	sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	chain, err := Parse("clear_thinking")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Replay(context.Background(), Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}, chain)
	if err != nil {
		t.Fatal(err)
	}
	e := r.View(1).Entries
	if e[0].Fate != model.WasChanged || !e[0].NoThinking || e[0].Tokens != Overhead+1 || e[1].Fate != model.WasDropped || e[2].Fate != model.Kept {
		t.Errorf("replies with thinking became %+v", e)
	}
}
