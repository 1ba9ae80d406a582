package curate

// placeholderTokens is the size a summary is assumed to have when nothing is known.
const placeholderTokens = 1000

// summaryParam is how a strategy takes where its summaries come from.
var summaryParam = Param{
	Name: "summary", Kind: KindWord, Default: "extractive", Words: []string{"extractive", "placeholder", "command"},
	Forms: []Form{
		{Word: "placeholder", Name: "tokens", Kind: KindAmount, Default: "1000"},
		{Word: "command", Kind: KindWord},
	},
	Help: `extractive: first lines of the texts, no model; placeholder(tokens=1000): a size only; command("…"): a program of yours, messages as JSON in, text out`,
}

// A summariser is where summaries come from: the record's words, a size, or a
// program of the user's.
type summariser struct {
	placeholder int32
	command     string
}

func (a args) summariser() (summariser, error) {
	v := a.value("summary")
	s := summariser{}
	switch v.Word {
	case "placeholder":
		s.placeholder = placeholderTokens
		if v.Inner != nil {
			s.placeholder = int32(min(v.Inner.Number, 1<<30))
		}
	case "command":
		s.command = v.Inner.Word
		if a.in.Runner == nil {
			return s, &BuildError{a.call, "its summary comes from a program, and no program may be run here; allow it, or take summary=extractive or summary=placeholder"}
		}
	}
	return s, nil
}

// make puts a summary of the messages at old, which are before message until, at
// key at. Where texts may not be read yet, a program's summary is a placeholder.
func (s summariser) make(f *facts, in, out *layer, at key, until int, old []key) item {
	size := s.placeholder
	var e edit
	switch {
	case s.command != "" && f.vars.size.read:
		text := f.vars.summary(f, s.command, out, old)
		return f.vars.add(in.keyspace, at, item{}, f.stage, replaceText{text: text, why: "summary by command " + s.command})
	case s.command != "":
		size = placeholderTokens
	}
	if size > 0 || s.command != "" {
		about := group(int(size)) + " tokens"
		e = replaceText{text: "[summary of the earlier conversation, about " + about + "]", why: "stands for a summary of " + about}
	} else {
		e = &extract{vars: f.vars, space: in.keyspace, until: until}
	}
	it := f.vars.add(in.keyspace, at, item{}, f.stage, e)
	if size > 0 {
		it.tokens = size
	}
	return it
}
