package strategy

import (
	"context"
	"strings"
	"testing"

	"agentlens/internal/curate/curatetest"
	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

func keepTextTrial() trial {
	return trial{
		plain: plainKeepText,
		chains: []string{
			"keep_text", "@flujo",
		},
		large: []string{"keep_text"},
	}
}

func plainKeepText(j *judge, s *plainStage, view []msg) []msg {
	return j.sieve(view,
		func(msg, model.ToolCall, int) bool { return false },
		func(m msg) bool {
			if m.role == model.System || !m.recorded() {
				return true
			}
			return m.role != model.Tool && j.thread.At(m.message()).HasText()
		})
}

// TestCallShaped checks flujo's measured filter.
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

// TestKeepTextReads checks that call-shaped texts are dropped once texts may be read.
func TestKeepTextReads(t *testing.T) {
	g := curatetest.NewGenerator(1)
	for _, text := range []string{"hello", `{"name":"bob"}`, "bye"} {
		g.Add(model.Message{Role: model.User}, text)
	}
	thread := g.B.Build()
	run := &model.Run{Threads: []*model.Thread{thread}, Bodies: g.Arena}
	sizes, err := engine.Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	chain, err := parseText("keep_text")
	if err != nil {
		t.Fatal(err)
	}
	for read, want := range map[bool]string{true: "kept dropped kept", false: "kept kept kept"} {
		r, err := Replay(context.Background(), engine.Input{Run: run, Thread: thread, Sizes: sizes, Texts: read}, chain)
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
