package curate

import (
	"agentlens/internal/model"
)

// placeholderTokens is the size a summary is assumed to have when nothing is known.
const placeholderTokens = 1000

// summaryParam is how a strategy takes where its summaries come from.
func summaryParam(fallback string) Param {
	return Param{
		Name: "summary", Kind: KindWord, Default: fallback, Words: []string{"extractive", endsWord, "recorded", "placeholder", commandWord},
		Forms: []Form{
			{Word: "placeholder", Name: "tokens", Kind: KindAmount, Default: "1000"},
			{Word: commandWord, Kind: KindWord},
		},
		Help: `extractive: first lines of the texts, no model; ends: first and last text whole (flujo without a model); recorded: the record's own where its boundary is the same, else a placeholder; placeholder(tokens=1000): a size only; command("…"): a program of yours, messages as JSON in, text out`,
	}
}

var roleParam = Param{Name: "role", Kind: KindWord, Default: "user", Words: []string{"system", "user", "assistant"}, Help: "role of the summary"}

// summariser is where summaries come from: the record, its words, a size, or a
// program of the user's.
type summariser struct {
	kind    string
	size    int32 // of a placeholder, in tokens
	command string
	texts   *Set // live texts, kept for summaries that need to find them
}

// note takes note of what changed in the view that is summarised.
func (s *summariser) note(in *Layer) {
	if s.kind != endsWord {
		return
	}
	if s.texts == nil {
		s.texts = NewSet(len(in.items))
	}
	for _, k := range in.delta {
		s.texts.Remove(k)
		if in.Live(k) && hasText(in, k) {
			s.texts.Add(k)
		}
	}
}

func (a args) summariser() (summariser, error) {
	v := a.value("summary")
	s := summariser{kind: v.Word, size: placeholderTokens}
	switch {
	case v.Word == "placeholder" && v.Inner != nil:
		s.size = int32(min(v.Inner.Number, 1<<30))
	case v.Word == commandWord:
		s.command = v.Inner.Word
		if a.in.Runner == nil {
			return s, &BuildError{a.call, "its summary comes from a program, and no program may be run here; allow it, or take summary=extractive or summary=placeholder"}
		}
	}
	return s, nil
}

// make makes a summary for key at, of what is before it in the view: messages
// before until, those at old of layer l. Where texts may not be read yet, a program's summary and a
// recorded one are placeholders.
func (s summariser) make(f *Facts, in, l *Layer, at Key, until int, old []Key) Item {
	var e Edit = s.placeholder("")
	switch read := f.vars.size.read; {
	case s.kind == commandWord && read:
		e = Replace{Text: f.vars.summary(f, s.command, l, old), Why: "external: summary by command " + s.command}
	case s.kind == "recorded" && read:
		text, ok := recordedSummary(f, in.Thread, until)
		if e = s.placeholder("; the record has none with this boundary"); ok {
			e = Replace{Text: text, Why: "the record's own summary of these messages"}
		}
	case s.kind == endsWord:
		e = newEnds(f, in, s.texts, at)
	case s.kind == "extractive":
		e = &extract{vars: f.vars, space: in.Keyspace, until: until}
	}
	return f.vars.add(in.Keyspace, at, Item{}, f.stage, e)
}

func (s summariser) placeholder(note string) Edit {
	about := "about " + group(int(s.size)) + " tokens"
	return sizeOnly{Replace{Text: "[summary of the earlier conversation, " + about + "]", Why: "stands for a summary of " + about + note}, s.size}
}

// sizeOnly is a text that stands for one of a size that is all that is known of it.
type sizeOnly struct {
	Replace
	tokens int32
}

func (e sizeOnly) Guess(Variant) (tokens, runes int32) { return e.tokens, 4 * min(e.tokens, 1<<28) }
func (sizeOnly) StandsIn()                             {}

// recordedSummary is the record's summary of what stands before message from: the
// text of an edit that begins the view anew there, or the message it begins with.
func recordedSummary(f *Facts, t *model.Thread, from int) (string, bool) {
	for i := len(t.Edits) - 1; i >= 0; i-- {
		e := &t.Edits[i]
		if e.Kind != model.Restart || e.From != from {
			continue
		}
		if e.Text != "" {
			return e.Text, true
		}
		if from < t.Len() && t.At(from).Badges.Has(model.Summary) {
			return f.vars.size.text(t.At(from)), true
		}
	}
	return "", false
}
