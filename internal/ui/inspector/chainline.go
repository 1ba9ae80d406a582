package inspector

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"agentlens/internal/curate"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/stages"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// chainLine is the chain under the panes and its editor.
type chainLine struct {
	text   string       // the chain in force, in normal form; "" is the recorded view
	list   *stages.List // nil when it is not being edited as a list
	aside  bool         // the record is shown in place of the chain
	edit   *kit.Input   // nil when it is not being edited
	good   string       // the last chain of the edit that could be read
	err    error
	insist bool     // the person takes the chain for finished: its fault is told
	cycle  []string // names Tab goes through
	nth    int
	prefix string // what was typed before the first Tab
	held   string // what was typed, when it runs a program: it waits for enter

	presets []curate.Preset // the user's own
	gated   func(s string) kit.Words
}

func (c *chainLine) Begin() {
	c.aside = false
	c.edit, c.good, c.held, c.err, c.cycle = kit.NewInput(c.text), c.text, "", nil, nil
}

// commit ends the edit with what it made.
func (c *chainLine) commit() { c.text, c.edit = c.good, nil }

// wanted is the chain that is to be seen now.
func (c *chainLine) wanted() string {
	switch {
	case c.edit != nil:
		return c.good
	case c.list != nil:
		return c.list.Text()
	case c.aside:
		return ""
	}
	return c.text
}

// tried is the chain that is to be seen, or that is set aside.
func (c *chainLine) tried() string { return cmp.Or(c.wanted(), c.text) }

// parse reads what was typed; a fault leaves the last good chain in force.
func (c *chainLine) parse() (reform bool) {
	c.err, c.held, c.insist = nil, "", false
	typed := c.edit.String()
	normal := ""
	if strings.TrimSpace(typed) != "" {
		chain, err := curate.ParseWith(typed, c.presets)
		if err != nil {
			c.err = err
			return false
		}
		if normal = chain.String(); len(chain.Programs()) > 0 && normal != c.good {
			c.held = normal
			return false
		}
	}
	reform = normal != c.good
	c.good = normal
	return reform
}

// complete puts the next name that begins with what was typed in its place.
func (c *chainLine) complete(d int) {
	word, start := c.edit.Word()
	if c.cycle == nil {
		c.prefix, c.nth = word, -1
		if d < 0 {
			c.nth = 0
		}
		c.cycle = c.candidates(word)
	}
	if len(c.cycle) == 0 {
		c.cycle = nil
		return
	}
	c.nth = (c.nth + d + len(c.cycle)) % len(c.cycle)
	c.edit.Replace(start, c.cycle[c.nth])
	if strings.HasSuffix(c.cycle[c.nth], "=") { // its value is next
		c.cycle = nil
	}
}

// names lists the strategies and presets that begin with prefix.
func names(prefix string, own []curate.Preset) []string {
	var list []string
	for _, s := range curate.Specs() {
		if strings.HasPrefix(s.Name, prefix) {
			list = append(list, s.Name)
		}
	}
	for _, p := range append(curate.Presets(), own...) {
		if strings.HasPrefix(p.Name, prefix) {
			list = append(list, p.Name)
		}
	}
	return list
}

const chainLabel = " chain  "

// Paint paints the chain line: the chain, and what it does to the call.
func (c *chainLine) Paint(l *kit.LineWriter, s *view.Aligned) {
	l.Words(chainLabel, kit.Dim)
	sum := effect(s, l.Left >= againstFrom-len(chainLabel))
	if s != nil && (s.Broken > 0 || l.Left >= pairsFrom-len(chainLabel)) {
		if pairs := pairsWord(s); pairs != "" {
			sum += " · " + pairs
		}
	}
	room := l.Left
	if w := text.Width(string(sum)); w+24 < room {
		room -= w + 2
	}
	l.Within(room, func() {
		switch {
		case c.edit != nil:
			c.edit.Paint(l, kit.Plain)
		case c.list != nil:
			l.Words(c.gated(c.list.Text()), kit.Plain)
		case c.aside:
			l.Words("set aside, the record is shown (v): ", kit.Changed)
			l.Words(c.gated(c.text), kit.Faint)
		case c.text != "":
			l.Words(c.gated(c.text), kit.Plain)
		case s != nil && s.WhatIf:
			l.Words("none: not recorded what was sent, shown as if all of it had been", kit.Faint)
		default:
			l.Words("none: as the record tells", kit.Faint)
		}
		if w := beside(s); c.edit == nil && text.Width(string(w)) < l.Left {
			l.Words(w, kit.Faint)
		}
	})
	if l.Left > 0 {
		l.To(text.Width(string(sum)) + 1)
		l.Words(sum, kit.Title)
	}
}

// beside says how much of the context is none of the messages: the header counts
// it, the panes do not.
func beside(s *view.Aligned) kit.Words {
	if s == nil || s.Rest <= 0 {
		return ""
	}
	return " · ctx has " + kit.About(s.Rest, false) + " beside the messages"
}

// effect is what a view does to its call: "42% fewer tokens · 9 dropped · 2 changed".
// against says that there is room to hold it to what was sent, too.
func effect(s *view.Aligned, against bool) kit.Words {
	if s == nil {
		return ""
	}
	v := s.View
	all, left := v.Original.Tokens, v.Curated.Tokens
	against = against && s.Was > 0
	var w kit.Words
	switch {
	case all == 0:
	case all == left:
		w = "nothing left out"
	case against:
		w = change(all, left, v.Estimated) + " tokens than all"
	default:
		w = change(all, left, v.Estimated) + " tokens"
	}
	switch {
	case !against:
	case s.Was == left:
		w += ", as many as were sent"
	case left >= 3*s.Was:
		w += ", ~" + kit.Figure((left+s.Was/2)/s.Was) + " times what was sent"
	default:
		w += ", " + change(s.Was, left, v.Estimated) + " than were sent"
	}
	for _, f := range [...]struct {
		n    int
		name kit.Words
	}{{s.Counts[2], "dropped"}, {s.Counts[1], "changed"}, {s.Counts[3], "added"}} {
		if f.n > 0 {
			w += " · " + kit.Figure(int64(f.n)) + " " + f.name
		}
	}
	if n := s.Problems; n > 0 && !s.WhatIf { // nobody chose to send all of it
		w += " · " + kit.Plural(n, "problem") + " (i)"
	}
	return w
}

// change is what became of a number of tokens: "~42% fewer".
func change(was, is int64, estimated bool) (w kit.Words) {
	switch p := int64(math.Round(100 * (float64(is)/float64(was) - 1))); {
	case p < 0:
		w = kit.Figure(-p) + "% fewer"
	case p > 0:
		w = kit.Figure(p) + "% more"
	default:
		w = "±0%"
	}
	if estimated {
		w = "~" + w
	}
	return w
}

// againstFrom is the width of the screen, in cells, from which on a chain is held to
// what was sent, beside all there was.
const againstFrom = 140

// pairsFrom is the width of the screen, in cells, from which on the chain line says
// that all pairs are whole; broken ones it tells of always.
const pairsFrom = 100

// below paints the line under the chain while it is edited: the fault with a
// caret, or the strategy at the cursor with its parameters.
func (c *chainLine) below(l *kit.LineWriter) {
	var fault *curate.SyntaxError
	switch {
	case errors.As(c.err, &fault) && c.unfinished(fault):
		c.hint(l)
	case errors.As(c.err, &fault):
		c.Fault(l, fault)
	case c.err != nil:
		l.Words(kit.Repeat(" ", len(chainLabel)), kit.Plain)
		l.Words(c.gated(c.err.Error()), kit.Failure)
	case c.held != "":
		c.heldHint(l)
	default:
		c.hint(l)
	}
}

func (c *chainLine) Fault(l *kit.LineWriter, e *curate.SyntaxError) {
	at := min(max(e.Pos, 0), len(e.Text))
	column := max(len(chainLabel)+text.Width(e.Text[:at])-c.edit.Scroll, 0)
	caret := kit.Repeat("^", max(1, min(e.Len, l.Left-column)))
	message := c.gated(strings.TrimPrefix(e.Error(), "strategy chain: "))
	if w := text.Width(string(message)); column+len(caret)+1+w > l.Left && column > w+1 {
		l.Blank(column - w - 1)
		l.Words(message, kit.Failure)
		l.Blank(1)
		l.Words(caret, kit.Failure)
		return
	}
	l.Blank(min(column, l.Left-4))
	l.Words(caret, kit.Failure)
	l.Blank(1)
	l.Words(message, kit.Failure)
}

// hint says what may stand at the cursor.
func (c *chainLine) hint(l *kit.LineWriter) {
	l.Words(kit.Repeat(" ", len(chainLabel)), kit.Plain)
	spec := c.specAt()
	if spec == nil {
		word, _ := c.edit.Word()
		if c.cycle != nil {
			word = c.prefix
		}
		l.Words("tab  ", kit.KeyCap)
		list := names(word, c.presets)
		l.Words(kit.Words(strings.Join(list, "  ")), kit.Dim)
		if spec := specNamed(list); spec != nil {
			l.Words("  "+kit.Words(spec.Summary), kit.Faint)
		}
		return
	}
	if p, inValue := c.paramAt(spec); p != nil && inValue {
		l.Words(kit.Words(p.Name), kit.Accent)
		l.Words("  "+kit.Words(p.Help), kit.Dim)
		if list := valuesOf(p); len(list) > 0 {
			l.Words("  tab ", kit.KeyCap)
			l.Words(kit.Words(strings.Join(list, "  ")), kit.Dim)
		}
		return
	}
	l.Words(kit.Words(spec.Name), kit.Accent)
	l.Words("(", kit.Dim)
	for i, p := range spec.Params {
		if i > 0 {
			l.Words(", ", kit.Dim)
		}
		l.Words(kit.Words(p.Name), kit.Title)
		if p.Default != "" {
			l.Words("="+kit.Words(p.Default), kit.Dim)
		}
	}
	l.Words(")  ", kit.Dim)
	l.Words(kit.Words(spec.Summary), kit.Faint)
}

// specNamed is the strategy that a list of one name names, or nil.
func specNamed(list []string) *curate.Spec {
	specs := curate.Specs()
	for i := range specs {
		if len(list) == 1 && specs[i].Name == list[0] {
			return &specs[i]
		}
	}
	return nil
}

// specAt is the strategy the cursor stands in, or nil.
func (c *chainLine) specAt() *curate.Spec {
	name, _, _ := strings.Cut(c.stageBefore(), "(")
	return specNamed([]string{strings.TrimSpace(name)})
}
