package export

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/source"
)

// TestDocumentOfAView checks that a view is written in the order of its entries, with omissions and changes in
// place, and without any part of a secret.
func TestDocumentOfAView(t *testing.T) {
	var arena source.Arena
	b := model.NewThread("t", "main")
	say := func(role model.Role, text string) model.Message {
		return model.Message{Role: role, Parts: []model.Part{{Kind: model.Text, Body: arena.Add(text, text)}}}
	}
	secret := "AKIA" + strings.Repeat("Q7", 8)
	b.Add(say(model.User, "zero"))
	b.Add(say(model.Assistant, "one"))
	b.Add(say(model.User, "two"))
	b.Add(say(model.Assistant, "three, "+secret))
	b.Add(say(model.User, "four"))
	b.Add(say(model.User, "five"))
	b.Thread().Markers = append(b.Thread().Markers, model.Marker{Kind: "compaction", After: 1})
	run := &model.Run{ID: "r", Threads: []*model.Thread{b.Build()}, Bodies: &arena}
	view := &model.View{
		Call: 1, Basis: model.Simulated, Estimated: true,
		Entries: []model.Entry{
			{Index: 0, Role: model.User, Fate: model.WasDropped, WasTokens: 5, Cause: &model.Cause{By: "sliding_window(2)", Why: "too old"}},
			{Index: 1, Role: model.Assistant, Fate: model.WasDropped, WasTokens: 6, Cause: &model.Cause{By: "sliding_window(2)", Why: "too old"}},
			{Index: model.NoMessage, Role: model.User, Fate: model.Added, Content: &model.EntryContent{Text: []model.Piece{{Insert: "in short"}}}, Cause: &model.Cause{By: "summarize"}},
			{Index: 3, Role: model.Assistant, Fate: model.WasChanged, Content: &model.EntryContent{Text: []model.Piece{{Start: 0, End: 15}}}, Cause: &model.Cause{By: "keep_text", Why: "cut"}},
			{Index: 4, Role: model.User, Fate: model.WasDropped, WasTokens: 7, Cause: &model.Cause{By: "sliding_window(2)", Why: "too old"}},
			{Index: 5, Role: model.User, Fate: model.WasDropped, WasTokens: 8, Cause: &model.Cause{By: "sliding_window(2)", Why: "its call is not kept"}},
		},
	}
	g := newGate(t)
	var out bytes.Buffer
	if err := Transcript(&out, g, &Document{Run: run, Threads: run.Threads, View: view, Strategy: "chain"}); err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{
		"view: what call the next one, after the record would have been sent", "basis: would be sent", "strategy: chain",
		"┊ … 2 messages dropped, ~11 tokens by sliding_window(2): too old", "═══ compaction", "── + user · added by summarize", "in short",
		"┊ … 1 message not given to this call", "── 4 assistant · changed by keep_text: cut", "three, [REDACTED:",
		"┊ … 1 message dropped, ~7 tokens by sliding_window(2): too old", "┊ … 1 message dropped, ~8 tokens by sliding_window(2): its call is not kept",
	} {
		i := strings.Index(out.String()[at:], want)
		if i < 0 {
			t.Fatalf("no %q behind place %d of\n%s", want, at, out.String())
		}
		at += i
	}
	for _, bad := range []string{"four", "zero", secret[:8]} {
		if strings.Contains(out.String(), bad) {
			t.Errorf("it holds %q", bad)
		}
	}
}

// TestUnreadableText checks that an error message replaces a text that cannot be read.
func TestUnreadableText(t *testing.T) {
	var arena source.Arena
	lost := model.Ref{Off: 1 << 40, Len: 7}
	b := model.NewThread("t", "main")
	b.Add(model.Message{Role: model.Assistant, Parts: []model.Part{{Kind: model.Thinking, Body: lost}, {Kind: model.Text, Body: arena.Add("said", "1")}}})
	b.Add(model.Message{Role: model.User, Parts: []model.Part{{Kind: model.Text, Body: lost}}})
	run := &model.Run{ID: "r", Threads: []*model.Thread{b.Build()}, Bodies: &arena}
	_, err := run.Body(lost)
	if err == nil {
		t.Fatal("it can be read")
	}
	for name, write := range map[string]func(io.Writer, *safe.Gate, *Document) error{"transcript": Transcript, "md": Markdown, "html": HTML} {
		var out bytes.Buffer
		if err := write(&out, newGate(t), &Document{Run: run, Threads: run.Threads}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), err.Error()); n != 2 || !strings.Contains(out.String(), "said") {
			t.Errorf("%s tells %d times that a text could not be read, want 2:\n%s", name, n, out.String())
		}
	}
}

// TestParallelCalls checks that every form shows which result answers which call.
func TestParallelCalls(t *testing.T) {
	var arena source.Arena
	b := model.NewThread("t", "main")
	b.Add(model.Message{Role: model.Assistant, Calls: []model.ToolCall{{ID: "call_a", Name: "read", Result: model.Some(2)}, {ID: "call_`b", Name: "read", Result: model.Some(1)}}})
	for _, id := range []string{"call_`b", "call_a"} {
		b.Add(model.Message{Role: model.Tool, ToolName: "read", CallID: id, Parts: []model.Part{{Kind: model.Text, Body: arena.Add("of "+id, "1")}}})
	}
	run := &model.Run{ID: "r", Threads: []*model.Thread{b.Build()}, Bodies: &arena}
	for _, tc := range []struct {
		write func(io.Writer, *safe.Gate, *Document) error
		want  []string
	}{
		{Transcript, []string{"── 2 tool read call_`b\n", "── 3 tool read call_a\n"}},
		{Markdown, []string{"→ **read** `call_a` completed\n", "### 2 · tool · read ``call_`b``\n", "### 3 · tool · read `call_a`\n"}},
		{HTML, []string{
			`<small>read <code>call_a</code> · <a href="#m3">result: message 3</a></small>`, `<small>read <code>call_` + "`" + `b</code> · <a href="#m2">`,
			`<a href="#m2">2</a> <i>tool</i> read <small>result of <a href="#m1">1</a> · <code>call_` + "`" + `b</code></small></h3>`,
		}},
	} {
		var out bytes.Buffer
		if err := tc.write(&out, newGate(t), &Document{Run: run, Threads: run.Threads}); err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.want {
			if !strings.Contains(strings.NewReplacer("\n <", " <", "\n<", "<").Replace(out.String()), want) {
				t.Errorf("no %q in\n%s", want, out.String())
			}
		}
	}
}

// TestFacts checks that all forms contain the same facts, and no row for a value that is not recorded.
func TestFacts(t *testing.T) {
	b := model.NewThread("t", "main")
	run := &model.Run{ID: "the-run", Format: "pi", Threads: []*model.Thread{b.Build()}}
	view := &model.View{Call: 1, Basis: model.Simulated, Problems: []model.Problem{{Rule: "a rule", Message: "is broken"}}}
	work := &Document{Run: run, Threads: run.Threads, View: view, Strategy: "keep_text"}
	var names []string
	for _, row := range work.facts() {
		names = append(names, row[0])
	}
	if got, want := strings.Join(names, ", "), "run, format, messages, tool calls, provider calls, view, basis, strategy, history, sent, problem"; got != want {
		t.Errorf("facts are %s, want %s", got, want)
	}
	for name, write := range map[string]func(io.Writer, *safe.Gate, *Document) error{"md": Markdown, "html": HTML} {
		var out bytes.Buffer
		if err := write(&out, newGate(t), work); err != nil {
			t.Fatal(err)
		}
		at := 0
		for _, name2 := range append(names, "redaction") {
			row := regexp.MustCompile(`(?m)^(\| |<dt>)` + name2 + `( \|\s|</dt><dd>)`).FindStringIndex(out.String()[at:])
			if row == nil {
				t.Fatalf("%s has no row of %s in its place:\n%s", name, name2, out.String())
			}
			at += row[1]
		}
	}
}

// TestFits writes the chain that gives the counts of a HistoryCurated marker: of a system message
// and seven others, a window of six leaves seven messages.
func TestFits(t *testing.T) {
	var arena source.Arena
	say := func(role model.Role, text string) model.Message {
		return model.Message{Role: role, Parts: []model.Part{{Kind: model.Text, Body: arena.Add(text, text)}}}
	}
	b := model.NewThread("t", "main")
	b.Add(say(model.System, "be brief"))
	for range 7 {
		b.Add(say(model.User, "go on"))
	}
	b.Thread().Markers = append(b.Thread().Markers, model.Marker{Kind: model.HistoryCurated, After: 7, Detail: []model.Detail{
		{Key: "strategy", Value: "sliding_window"}, {Key: "original_count", Value: int64(8)}, {Key: "curated_count", Value: int64(7)},
	}})
	run := &model.Run{ID: "r", Threads: []*model.Thread{b.Build()}, Bodies: &arena}
	var out bytes.Buffer
	if err := Transcript(&out, newGate(t), &Document{Run: run, Threads: run.Threads}); err != nil {
		t.Fatal(err)
	}
	if want := "curated_count 7 · fits sliding_window(6) ═══"; !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
}
