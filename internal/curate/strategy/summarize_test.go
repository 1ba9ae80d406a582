package strategy

import (
	"slices"
	"strings"
	"testing"

	"agentlens/internal/curate/chain"
	"agentlens/internal/curate/engine"
	"agentlens/internal/model"
)

func summarizeTrial() trial {
	return trial{
		plain: plainSummarize,
		chains: []string{
			"summarize", "summarize(0.3, max_tokens=600, summary=extractive)", "summarize(0.4, max_tokens=90, role=user)", "summarize(0.9, max_tokens=1, role=user)", "summarize(trigger=500, role=system)", "summarize(trigger=60, role=user)", "summarize(0.6, trigger=8 texts, summary=placeholder(40))",
		},
		large: []string{"summarize", "summarize(trigger=100k)", "summarize(summary=extractive)"},
		grows: true,
	}
}

func plainSummarize(j *judge, s *plainStage, view []msg) []msg {
	trigger := s.limit("trigger")
	var out []msg
	if trigger.n > 0 {
		out = j.compact(view, plainCompaction{over: []limit{trigger}, keep: limit{chain.Texts, 1}, share: s.value("ratio").Number}, s)
	} else {
		out = j.summarizeAll(view, s)
	}
	head, rest := j.splitSystem(out)
	return j.budget(head, rest, max(1, s.number("max_tokens")), true, false, false)
}

// summarizeAll summarises the oldest share of the texts.
func (j *judge) summarizeAll(view []msg, s *plainStage) []msg {
	head, rest := j.splitSystem(view)
	units := j.units(rest)
	if len(units) == 0 {
		return view
	}
	cut := units[max(1, int(float64(len(units))*s.value("ratio").Number))-1].pos + 1
	out := append(slices.Clone(head), *j.summary(s, rest, cut/wide*wide+s.index))
	for _, m := range rest {
		if j.head(m) >= cut {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b msg) int { return a.pos - b.pos })
	return out
}

// summary returns the message that replaces everything before pos, sized without reading.
func (j *judge) summary(s *plainStage, rest []msg, pos int) *msg {
	n := min(1500, 60+pos/wide*40) // extractive: code points
	size := engine.Overhead + int32(n)/4
	runes := int32(n)
	switch v := s.value("summary"); v.Word {
	case "placeholder", "recorded": // if texts are not read
		if size = 1000; v.Inner != nil {
			size = int32(v.Inner.Number)
		}
		runes = 4 * size
	case "ends":
		var texts []msg
		for _, m := range rest {
			if m.pos < pos && m.role != model.Tool && (!m.recorded() || j.thread.At(m.message()).HasText()) {
				texts = append(texts, m)
			}
		}
		size = engine.Overhead
		if len(texts) > 2 {
			size += 6
			texts = []msg{texts[0], texts[len(texts)-1]}
		}
		for _, m := range texts {
			size += m.tokens
		}
		runes = 4 * size
	}
	return &msg{pos: pos, role: s.role(), tokens: size, runes: runes, edits: "summary", base: engine.Variant{Tokens: size, Runes: runes}}
}

// units returns the texts of rest: groups by their first message, and messages outside groups.
func (j *judge) units(rest []msg) []msg {
	return slices.DeleteFunc(slices.Clone(rest), func(m msg) bool { return j.head(m) != m.pos })
}

// shareCut returns the start of the remaining texts when the oldest share is dropped. The
// summary counts as the oldest text.
func (j *judge) shareCut(share float64, live []msg, summary bool) int {
	units := j.units(live)
	n := len(units) + int(b2i(summary))
	old := max(1, int(float64(n)*share)) - int(b2i(summary))
	if len(units) == 0 || old <= 0 {
		return -1
	}
	if old < len(units) {
		return place(units[old].message())
	}
	return (units[len(units)-1].message() + 1) * wide
}

// TestSummarizeIsFlujos checks flujo's summary without a model: one or two texts joined,
// otherwise the first and the last.
func TestSummarizeIsFlujos(t *testing.T) {
	run, thread, sizes := said(t, "s be brief", "u one", "a two", "u three", "a four", "u five", "a six")
	r := views(t, engine.Input{Run: run, Thread: thread, Sizes: sizes}, "summarize")
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
	r = views(t, engine.Input{Run: run, Thread: thread, Sizes: sizes}, "summarize(max_tokens=10)")
	if got, want := kept(t, run, thread, r.View(4)), "0 system be brief | 5 user five | 6 assistant six"; got != want {
		t.Errorf("bounded: %s, want %s: the summary is the first to go", got, want)
	}
}

// TestSummaryIsRecorded checks that the recorded summary is used if its boundary is the same,
// and that a view with a placeholder is marked as estimated.
func TestSummaryIsRecorded(t *testing.T) {
	run, thread, sizes := said(t, "u one", "a two", "u three", "a four", "u five", "a six", "u seven")
	sizes.Exact = true
	thread.Edits = []model.Edit{{Kind: model.Restart, After: 3, From: 4, Text: "they counted to four", Role: model.User}}
	in := engine.Input{Run: run, Thread: thread, Sizes: sizes}
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
		case !strings.HasPrefix(model.Join("", added.Text()), tc.summary) || !strings.Contains(added.Reason(), tc.reason):
			t.Errorf("%s: added %q because %q", tc.chain, model.Join("", added.Text()), added.Reason())
		case v.Estimated != tc.estimated:
			t.Errorf("%s: estimated %v", tc.chain, v.Estimated)
		}
	}
}

// TestCutSecrets checks that no piece of a secret reaches a view: a line is masked before it is
// shortened.
func TestCutSecrets(t *testing.T) {
	word := strings.Repeat("k", 30)
	long := strings.Repeat("x ", 45) + word
	run, thread, sizes := said(t, "u "+long, "a "+long, "u three", "a four", "u five")
	in := engine.Input{Run: run, Thread: thread, Sizes: sizes, Mask: hides{word}}
	got := kept(t, run, thread, views(t, in, "compact(3 msgs, keep=1)").View(3))
	if !strings.Contains(got, "[hidden") || strings.Contains(got, "kkk") {
		t.Errorf("the summary has %q", got)
	}
}
