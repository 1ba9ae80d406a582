package curate

import (
	"fmt"

	"agentlens/internal/model"
)

var summarizeSpec = Spec{
	Name:     "summarize",
	Summary:  "The oldest share of the texts becomes one summary, then the newest that fit max_tokens stay; flujo does so at every call, even of a single text.",
	Whose:    "flujo, FSD-033 (trigger)",
	Stateful: true,
	Params: []Param{
		{Name: "ratio", Fraction: true, Default: "0.5", Help: "share of the texts that is summarised, between 0 and 1; at least one is"},
		{Name: "max_tokens", Unit: Tok, Units: []Unit{Percent}, Default: "4096", Help: "tokens kept of what comes of it, newest first, the system message not counted; the newest text stays; % is of the window"},
		{Name: "trigger", Unit: Tok, Units: []Unit{Percent, Texts}, Default: "0", Help: "size of the view above which it acts, and stays so until the next time; 0: at every call; % is of the window"},
		summaryParam("ends"),
		{Name: "role", Kind: KindWord, Default: "assistant", Words: []string{"system", "user", "assistant"}, Help: "role of the summary"},
	},
	build: func(a args) (Built, error) {
		share := a.value("ratio").Number
		if share <= 0 || share >= 1 {
			return Built{}, &BuildError{a.call, "ratio must be between 0 and 1, both excluded"}
		}
		size, err := a.tokens("max_tokens")
		if err != nil {
			return Built{}, err
		}
		first, err := buildSummarize(a, share)
		bound := &window{measure: byTokens, max: max(1, size), newest: true, keepHead: true}
		return inSequence(first, bound.built(fmt.Sprintf("would exceed %s tokens", group(int(bound.max))))), err
	},
}

// buildSummarize makes the stage that summarises: a compaction where there is a
// trigger, else one that goes by the whole history at each call.
func buildSummarize(a args, share float64) (Built, error) {
	trigger := a.limit("trigger")
	if trigger.unit != Texts {
		n, err := a.tokens("trigger")
		if err != nil {
			return Built{}, err
		}
		trigger = limit{Tok, n}
	}
	role, _ := model.ParseRole(a.word("role"))
	source, err := a.summariser()
	reasons := []string{"", fmt.Sprintf("summarised: among the oldest %g%% of the texts", share*100), "its call was summarised", "summary of the texts before"}
	if trigger.n > 0 {
		c := &compaction{over: []limit{trigger}, keep: limit{unit: Texts, n: 1}, share: share, role: role, source: source, summary: -1}
		return Built{Stage: c, reasons: reasons}, err
	}
	w := window{measure: byUnit, keepHead: true, share: share}
	return Built{Stage: &summarize{window: w, role: role, source: source, at: -1}, reasons: reasons}, err
}

// summarize is a window with a summary of what is before it.
type summarize struct {
	window
	role   model.Role
	source summariser
	nth    int
	at     Key // the summary in the view, or -1
	cut    Key // what it was made for
	made   Item
}

func (s *summarize) slot(nth int) { s.nth = nth }

func (s *summarize) Step(f *Facts, in, out *Layer) {
	s.window.Step(f, in, out)
	s.source.note(in)
	anew := s.from != s.cut
	for _, k := range in.delta {
		anew = anew || k < s.from
	}
	if !anew {
		return
	}
	s.cut = s.from
	at := Key(-1)
	if s.from > 0 {
		until := in.Place(s.from)
		at = in.Slot(until, s.nth)
		s.made = s.source.make(f, in, in, at, until, s.old(in))
	}
	if s.at >= 0 && s.at != at {
		out.Drop(s.at, whyGone)
	}
	if s.at = at; at >= 0 {
		in.added[at] = Addition{Role: s.role}
		out.Put(at, s.made, whySummary)
	}
}

// old lists what a program is to summarise.
func (s *summarize) old(in *Layer) []Key {
	if s.source.kind != commandWord {
		return nil
	}
	var keys []Key
	s.eachLive(in, s.head, s.from, func(k Key) { keys = append(keys, k) })
	return keys
}
