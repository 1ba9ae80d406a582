package evidence

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"agentlens/internal/curate/engine"
	"agentlens/internal/curate/strategy"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
	"agentlens/internal/trace/ground/source"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"the quick brown fox":                         "",
		"see internal/curate/loss.go, please.":        "internal/curate/loss.go",
		"call parseInvoice(total_cents) now":          "parseInvoice total_cents",
		"INV-1960 and 8080 or 12, v1.2.3":             "INV-1960 8080 v1.2.3",
		"write to ann@example.org: done; well-known":  "ann@example.org",
		"日本語テキスト と file_名前.txt":                       "file_名前.txt",
		`{"path":"a/b.go","n":1}`:                     "a/b.go",
		"a.b":                                         "",
		"..... ----- /////":                           "",
		strings.Repeat("x1", 200):                     "",
		"\xff\xfe broken\xffbytes_here":               "bytes_here",
		"https://example.org/x?q=1 HTTPServer iPhone": "https://example.org/x iPhone",
	} {
		var got []string
		eachWord(text, false, func(w string) { got = append(got, w) })
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	var got []string
	eachWord(`{"text":"one\nmy_name\tend_here"}`, true, func(w string) { got = append(got, w) })
	if strings.Join(got, " ") != "my_name end_here" {
		t.Errorf("escaped: %q", got)
	}
}

// lossSaid builds a thread from "role: text" lines. An assistant's "read(x)" is a call, and
// the following tool line is its result. Each assistant line is the reply of a call.
func lossSaid(t *testing.T, lines ...string) (engine.Input, *Evidence) {
	t.Helper()
	arena, b := &source.Arena{}, model.NewThread("t", "main")
	id := ""
	for _, line := range lines {
		role, text, _ := strings.Cut(line, ": ")
		m := model.Message{}
		m.Role, _ = model.ParseRole(role)
		switch {
		case m.Role == model.Tool:
			m.CallID = id
		case strings.HasPrefix(text, "read("):
			id = fmt.Sprint("c", b.Len())
			m.Calls = []model.ToolCall{{ID: id, Name: "read", Args: arena.Add(strings.TrimSuffix(text[5:], ")"), "test")}}
			text = ""
		}
		if strings.HasPrefix(text, "injected ") {
			m.Badges = m.Badges.With(model.Injected)
		}
		if text != "" {
			m.Parts = []model.Part{{Kind: model.Text, Body: arena.Add(text, "test")}}
		}
		i := b.Add(m)
		if m.Role == model.Assistant {
			raw := b.Thread()
			raw.Calls = append(raw.Calls, model.Call{Number: len(raw.Calls) + 1, Given: i, Reply: model.Some(i)})
		}
	}
	thread := b.Build()
	run := &model.Run{ID: "r", Threads: []*model.Thread{thread}, Bodies: arena}
	sizes, err := engine.Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Find(context.Background(), run, thread)
	if err != nil {
		t.Fatal(err)
	}
	return engine.Input{Run: run, Thread: thread, Sizes: sizes, Texts: true}, e
}

func TestLoss(t *testing.T) {
	story := []string{
		"system: use the tool_name",
		"user: look into billing",
		`assistant: read("a.go")`,
		"tool: func roundCents in ledger.go",
		`assistant: read("b.go")`,
		"tool: nothing here",
		"user: go on",
		"assistant: the fault is roundCents, not tool_name",
	}
	for _, tc := range []struct {
		name, chain             string
		lines                   []string
		cited, instructed, redo Share
	}{
		{"everything is there", "passthrough", story, Share{0, 1}, Share{0, 4}, Share{}},
		{"the cited result is gone", "sliding_window(3)", story, Share{1, 1}, Share{1, 4}, Share{}},
		{"cleared, and so lost", "clear_tool_uses(0, keep=1)", story, Share{1, 1}, Share{0, 4}, Share{}},
		{"cut behind the word", "truncate_tool_results(20, suffix=\"\")", story, Share{0, 1}, Share{0, 4}, Share{}},
		{"cut before the word", "truncate_tool_results(8, suffix=\"\")", story, Share{1, 1}, Share{0, 4}, Share{}},
		{"a summary has the word", "compact(4 msgs, keep=1, summary=extractive)", []string{
			"user: the account is ACME-77", "assistant: fine", "user: a", "assistant: b", "user: c", "assistant: ACME-77 it is",
		}, Share{0, 1}, Share{2, 6}, Share{}},
		{"two words of one message, one left elsewhere", "sliding_window(1)", []string{
			"user: see file_one and file_two", "assistant: read(\"x\")", "tool: y", "user: file_one it is", "assistant: I took file_one and file_two",
		}, Share{1, 2}, Share{1, 3}, Share{}},
		{"a result that is wanted again", "sliding_window(1)", []string{
			"user: go", `assistant: read("x")`, "tool: y", "user: again", `assistant: read("x")`, "tool: y", "user: and another", `assistant: read("z")`,
		}, Share{}, Share{3, 6}, Share{1, 1}},
		{"it is still there", "passthrough", []string{
			"user: go", `assistant: read("x")`, "tool: y", "user: again", `assistant: read("x")`,
		}, Share{}, Share{0, 3}, Share{0, 1}},
		{"what the harness put there is no instruction", "sliding_window(1)", []string{
			"user: injected notes", "user: go", "assistant: done",
		}, Share{}, Share{0, 1}, Share{}},
		{"nothing is known of an empty thread", "passthrough", nil, Share{}, Share{}, Share{}},
	} {
		in, e := lossSaid(t, tc.lines...)
		var l Loss
		for _, at := range Audit(replay(t, in, tc.chain), e) {
			l.Add(at)
		}
		for _, s := range []struct {
			name      string
			got, want Share
		}{{"cited", l.Cited, tc.cited}, {"instructions", l.Instructions, tc.instructed}, {"repeats", l.Repeats, tc.redo}} {
			if math.Abs(s.got.Lost-s.want.Lost) > 1e-9 || s.got.Of != s.want.Of {
				t.Errorf("%s: %s %v, want %v", tc.name, s.name, s.got, s.want)
			}
		}
		if _, known := l.Share(); known != (len(tc.lines) > 0) {
			t.Errorf("%s: known %v", tc.name, known)
		}
	}
}

func replay(t *testing.T, in engine.Input, text string) *engine.Replayed {
	t.Helper()
	c, err := strategy.Language().Parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := strategy.Replay(context.Background(), in, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
