package curate

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// said makes a thread of short texts: "u hello" is a user's, a for an assistant,
// s for a system message. Every reply is a provider call.
func said(t *testing.T, lines ...string) (*model.Run, *model.Thread, *Sizes) {
	t.Helper()
	g := newGenerator(1)
	for _, line := range lines {
		role := map[string]model.Role{"s": model.System, "u": model.User, "a": model.Assistant}[line[:1]]
		i := g.add(model.Message{Role: role}, line[2:])
		if role == model.Assistant {
			th := g.b.Thread()
			th.Calls = append(th.Calls, model.Call{Number: len(th.Calls) + 1, Given: i, Reply: model.Some(i)})
		}
	}
	thread := g.b.Build()
	run := &model.Run{Threads: []*model.Thread{thread}, Bodies: g.arena}
	sizes, err := Measure(context.Background(), run, thread, tokens.Estimate{})
	if err != nil {
		t.Fatal(err)
	}
	return run, thread, sizes
}

// views replays a chain where texts may be read.
func views(t *testing.T, in Input, text string) *Replayed {
	t.Helper()
	chain, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	in.Texts = true
	r, err := Replay(context.Background(), in, chain)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// kept writes a view in short: "0 user hello" for each message in it, + for one
// that was added.
func kept(t *testing.T, run *model.Run, thread *model.Thread, v *model.View) string {
	t.Helper()
	var lines []string
	for _, e := range v.Entries {
		if e.Fate == model.WasDropped {
			continue
		}
		text, index := "", "+"
		if e.Index >= 0 {
			var err error
			if text, err = run.Text(thread.At(int(e.Index))); err != nil {
				t.Fatal(err)
			}
			index = fmt.Sprint(e.Index)
		}
		if e.Text != nil {
			text = model.Join(text, e.Text)
		}
		lines = append(lines, index+" "+e.Role.String()+" "+text)
	}
	return strings.Join(lines, " | ")
}

// TestSummarizeIsFlujos holds the summary flujo makes without a model: one or two
// texts joined, else the first and the last.
func TestSummarizeIsFlujos(t *testing.T) {
	run, thread, sizes := said(t, "s be brief", "u one", "a two", "u three", "a four", "u five", "a six")
	r := views(t, Input{Run: run, Thread: thread, Sizes: sizes}, "summarize")
	for call, want := range map[int]string{
		1: "0 system be brief | + assistant user: one",
		2: "0 system be brief | + assistant user: one | 2 assistant two | 3 user three",
		3: "0 system be brief | + assistant user: one \nassistant: two | 3 user three | 4 assistant four | 5 user five",
		4: "0 system be brief | + assistant user: one \n... (summarized) ... \nuser: three | 4 assistant four | 5 user five | 6 assistant six",
	} {
		if got := kept(t, run, thread, r.View(call)); got != want {
			t.Errorf("call %d: %s\nwant %s", call, got, want)
		}
	}
	r = views(t, Input{Run: run, Thread: thread, Sizes: sizes}, "summarize(max_tokens=10)")
	if got, want := kept(t, run, thread, r.View(4)), "0 system be brief | 5 user five | 6 assistant six"; got != want {
		t.Errorf("bounded: %s, want %s: the summary is the first to go", got, want)
	}
}

// TestSummaryIsRecorded holds that the record's summary is taken where its boundary
// is the same, and that a view with a stand-in says that it is estimated.
func TestSummaryIsRecorded(t *testing.T) {
	run, thread, sizes := said(t, "u one", "a two", "u three", "a four", "u five", "a six", "u seven")
	sizes.Exact = true
	thread.Edits = []model.Edit{{Kind: model.Restart, After: 3, From: 4, Text: "they counted to four", Role: model.User}}
	in := Input{Run: run, Thread: thread, Sizes: sizes}
	for _, tc := range []struct {
		chain, summary, reason string
		estimated              bool
	}{
		{"compact(5 msgs, keep=3, summary=recorded)", "they counted to four", "the record's own summary", false},
		{"compact(5 msgs, keep=2, summary=recorded)", "[summary of", "has none with this boundary", true},
		{"compact(5 msgs, keep=2, summary=placeholder(50))", "[summary of", "about 50 tokens", true},
		{"compact(5 msgs, keep=2)", "Earlier conversation", "without a model", false},
	} {
		v := views(t, in, tc.chain).View(4)
		var added *model.Entry
		for i := range v.Entries {
			if v.Entries[i].Fate == model.Added {
				added = &v.Entries[i]
			}
		}
		switch {
		case added == nil:
			t.Errorf("%s: nothing was added: %s", tc.chain, kept(t, run, thread, v))
		case !strings.HasPrefix(model.Join("", added.Text), tc.summary) || !strings.Contains(added.Reason, tc.reason):
			t.Errorf("%s: added %q because %q", tc.chain, model.Join("", added.Text), added.Reason)
		case v.Estimated != tc.estimated:
			t.Errorf("%s: estimated %v", tc.chain, v.Estimated)
		}
	}
}

// hides is a mask for one word.
type hides struct{ word string }

func (h hides) Text(original string, pieces []model.Piece) string {
	return strings.ReplaceAll(model.Join(original, pieces), h.word, "[hidden]")
}
func (hides) Arguments(string) string { return "{}" }

// TestCutSecrets holds that a secret does not get into a view in pieces: a line is
// masked before it is cut.
func TestCutSecrets(t *testing.T) {
	word := strings.Repeat("k", 30)
	long := strings.Repeat("x ", 45) + word
	run, thread, sizes := said(t, "u "+long, "a "+long, "u three", "a four", "u five")
	in := Input{Run: run, Thread: thread, Sizes: sizes, Mask: hides{word}}
	got := kept(t, run, thread, views(t, in, "compact(3 msgs, keep=1)").View(3))
	if !strings.Contains(got, "[hidden") || strings.Contains(got, "kkk") {
		t.Errorf("the summary has %q", got)
	}
}
