package ui

import (
	"fmt"
	"strings"

	"agentlens/internal/export/request"
	"agentlens/internal/model"
)

// Places of the tabs.
const (
	textTab = iota
	recordTab
	requestTab
	factsTab
	fateTab
)

// tab reads a tab.
func (s *detailSource) tab(n, form int) overlay {
	switch n {
	case recordTab:
		return s.record()
	case requestTab:
		return s.request(s.forms[form])
	case factsTab:
		return s.pagerOf("facts", append(factBlocks(s.gate, "this message", messageFacts(s.shown, &s.item, s.run)), s.costBlocks()...))
	case fateTab:
		return s.pagerOf("what became of it at every call", s.fateBlocks())
	}
	return s.pagerOf(s.name(), s.blocks(s.want))
}

func (s *detailSource) name() words {
	if s.item.index < 0 {
		return "not in the history"
	}
	name := "message " + figureWhole(int(s.item.index))
	if s.want.message != nil {
		name += " · " + words(s.want.message.Role.String())
	}
	return name
}

// says is a tab that only says something.
func (s *detailSource) says(title, what words) overlay {
	return s.pagerOf(title, []block{{kind: headBlock, note: what}})
}

// record is the records the message was read from: as a tree, or as text.
func (s *detailSource) record() overlay {
	if s.isPiece {
		return s.says("record", "this is no message of the record: it was put into the view")
	}
	m := s.want.message
	if len(m.Origin) == 0 {
		return s.says("record", "the reader of this format does not tell which record it was read from")
	}
	doc, err := s.pieceTexts(m.Origin)
	if err != nil {
		return s.pagerOf("record", []block{s.unreadable(err)})
	}
	where := s.gate.Line(s.run.Place(m.Origin[0]))
	safe := s.json(doc)
	if v := newTreeView("record · ", safe, s.whole); v != nil {
		v.name = where
		if len(m.Origin) > 1 {
			v.note = "the message was read from " + plural(len(m.Origin), "record") + ", one below the other"
		}
		return v
	}
	p := s.pagerOf("record · ", []block{{kind: textBlock, text: s.whole(doc)}})
	p.name = where
	return p
}

// request is the message alone as a provider would be sent it, masked always.
func (s *detailSource) request(form string) overlay {
	title := words("request · " + form + " · ")
	e := model.Entry{Index: s.item.index}
	if got := s.want.entry; got != nil {
		e = *got
	} else if s.want.message != nil {
		e.Role = s.want.message.Role
	} else {
		return s.says(title, "a rendered prompt is one text, no message: see the text tab")
	}
	raw, losses, err := request.Write(form, s.gate, s.run, s.thread, &model.View{Entries: []model.Entry{e}})
	if err != nil {
		return s.pagerOf(title, []block{s.unreadable(err)})
	}
	v := newTreeView(title, s.gate.Text(string(raw)), s.gate.Text)
	if v == nil {
		return s.pagerOf(title, []block{{kind: textBlock, text: s.gate.Text(string(raw))}})
	}
	v.name = s.gate.Literal("as lens export --format " + form + " writes it, secrets masked")
	if len(losses) > 0 {
		var parts []string
		for _, l := range losses {
			parts = append(parts, l.What)
		}
		v.note = "not carried over: " + words(strings.Join(parts, "; "))
	}
	v.tree.FoldBelow(1 << 30)
	v.lay()
	return v
}

// costBlocks says what the call that made the message used, and what carrying it
// along cost.
func (s *detailSource) costBlocks() []block {
	var facts []fact
	if m := s.want.message; m != nil && m.Source != "" {
		facts = append(facts, fact{"source", m.Source})
	}
	if c := s.call; c != nil {
		facts = append(facts, fact{"reply to", fmt.Sprintf("call %d", c.Number)}, fact{"model", c.Model}, fact{"usage", usageWords(c.Usage)}, fact{"cost", costWords(c, s.prices)})
	}
	if s.item.kind == messageItem && s.replay != nil {
		var calls int
		var tokens int64
		for _, f := range s.replay.Fates(int(s.item.index)) {
			n := f.To - f.From + 1
			if f.To > s.replay.Calls() { // the one after the record was not sent
				n--
			}
			if f.Given && f.Known && f.Entry.Fate != model.WasDropped {
				calls += n
				tokens += int64(n) * int64(f.Entry.Tokens)
			}
		}
		if calls > 0 {
			facts = append(facts, fact{"carried", string(plural(calls, "call") + ", " + about(tokens, s.shown.exact) + " tokens in all")})
		}
	}
	if len(facts) == 0 {
		return nil
	}
	return factBlocks(s.gate, "its cost", facts)
}

// fateSigns draw a fate in the strip, so that each is told without colours.
var fateSigns = [...]string{model.Kept: "=", model.WasChanged: "~", model.WasDropped: "-", model.Added: "+"}

// stripWidth is how many calls the strip of fates shows in a line.
const stripWidth = 50

// fateBlocks draw a sign for every call, and say the runs in words.
func (s *detailSource) fateBlocks() []block {
	if s.item.kind != messageItem || s.replay == nil {
		return []block{{kind: headBlock, note: "only messages of the thread are followed from call to call"}}
	}
	var signs, runs strings.Builder
	t := s.thread
	for _, f := range s.replay.Fates(int(s.item.index)) {
		sign, says := ".", "not given"
		switch {
		case !f.Known:
			sign, says = "?", "the record does not tell what was sent"
		case f.Given:
			sign, says = fateSigns[f.Entry.Fate], fateWords(&f.Entry)
		}
		signs.WriteString(strings.Repeat(sign, f.To-f.From+1))
		name := string(callName(t, f.From))
		if f.To > f.From {
			name += " to " + strings.TrimPrefix(string(callName(t, f.To)), "call ")
		}
		fmt.Fprintf(&runs, "%-16s %s %s\n", name, sign, says)
	}
	all := signs.String()
	var strip strings.Builder
	for at := 0; at < len(all); at += stripWidth {
		fmt.Fprintf(&strip, "%6d  %s\n", at+1, all[at:min(at+stripWidth, len(all))])
	}
	return []block{
		{kind: headBlock, note: "a sign for each call: = as it is  ~ changed  - dropped  . not given  ? not recorded"},
		{kind: textBlock, text: s.gate.Text(strip.String())},
		{kind: headBlock, note: "in words"},
		{kind: textBlock, text: s.gate.Text(runs.String())},
	}
}

func fateWords(e *model.Entry) string {
	says := e.Fate.String()
	if e.Fate == model.WasChanged {
		says += fmt.Sprintf(", %d → %d tokens", e.WasTokens, e.Tokens)
	}
	if e.By != "" {
		says += " by " + e.By
	}
	if e.Reason != "" {
		says += ": " + e.Reason
	}
	return oneLine(says)
}
