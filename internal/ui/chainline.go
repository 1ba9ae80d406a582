package ui

import (
	"cmp"
	"errors"
	"math"
	"strings"

	"agentlens/internal/curate"
	"agentlens/internal/ui/stages"
	"agentlens/internal/ui/text"
)

// chainLine is the chain under the panes and its editor.
type chainLine struct {
	text   string       // the chain in force, in normal form; "" is the recorded view
	list   *stages.List // nil when it is not being edited as a list
	aside  bool         // the record is shown in place of the chain
	edit   *input       // nil when it is not being edited
	good   string       // the last chain of the edit that could be read
	err    error
	insist bool     // the person takes the chain for finished: its fault is told
	cycle  []string // names Tab goes through
	nth    int
	prefix string // what was typed before the first Tab
	held   string // what was typed, when it runs a program: it waits for enter

	presets []curate.Preset // the user's own
	gated   func(s string) words
}

func (c *chainLine) begin() {
	c.aside = false
	c.edit, c.good, c.held, c.err, c.cycle = newInput(c.text), c.text, "", nil, nil
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
	word, start := c.edit.word()
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
	c.edit.replace(start, c.cycle[c.nth])
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

// paint paints the chain line: the chain, and what it does to the call.
func (c *chainLine) paint(l *liner, s *shown) {
	l.own(chainLabel, dim)
	sum := effect(s, l.left >= againstFrom-len(chainLabel))
	if s != nil && (s.broken > 0 || l.left >= pairsFrom-len(chainLabel)) {
		if pairs := pairsWord(s); pairs != "" {
			sum += " · " + pairs
		}
	}
	room := l.left
	if w := text.Width(string(sum)); w+24 < room {
		room -= w + 2
	}
	l.within(room, func() {
		switch {
		case c.edit != nil:
			c.edit.paint(l, plain)
		case c.list != nil:
			l.own(c.gated(c.list.Text()), plain)
		case c.aside:
			l.own("set aside, the record is shown (v): ", changed)
			l.own(c.gated(c.text), faint)
		case c.text != "":
			l.own(c.gated(c.text), plain)
		case s != nil && s.whatIf:
			l.own("none: not recorded what was sent, shown as if all of it had been", faint)
		default:
			l.own("none: as the record tells", faint)
		}
		if w := beside(s); c.edit == nil && text.Width(string(w)) < l.left {
			l.own(w, faint)
		}
	})
	if l.left > 0 {
		l.to(text.Width(string(sum)) + 1)
		l.own(sum, title)
	}
}

// beside says how much of the context is none of the messages: the header counts
// it, the panes do not.
func beside(s *shown) words {
	if s == nil || s.rest <= 0 {
		return ""
	}
	return " · ctx has " + about(s.rest, false) + " beside the messages"
}

// effect is what a view does to its call: "42% fewer tokens · 9 dropped · 2 changed".
// against says that there is room to hold it to what was sent, too.
func effect(s *shown, against bool) words {
	if s == nil {
		return ""
	}
	v := s.view
	all, left := v.Original.Tokens, v.Curated.Tokens
	against = against && s.was > 0
	var w words
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
	case s.was == left:
		w += ", as many as were sent"
	case left >= 3*s.was:
		w += ", ~" + figure((left+s.was/2)/s.was) + " times what was sent"
	default:
		w += ", " + change(s.was, left, v.Estimated) + " than were sent"
	}
	for _, f := range [...]struct {
		n    int
		name words
	}{{s.counts[2], "dropped"}, {s.counts[1], "changed"}, {s.counts[3], "added"}} {
		if f.n > 0 {
			w += " · " + figure(int64(f.n)) + " " + f.name
		}
	}
	if n := s.problems; n > 0 && !s.whatIf { // nobody chose to send all of it
		w += " · " + plural(n, "problem") + " (i)"
	}
	return w
}

// change is what became of a number of tokens: "~42% fewer".
func change(was, is int64, estimated bool) (w words) {
	switch p := int64(math.Round(100 * (float64(is)/float64(was) - 1))); {
	case p < 0:
		w = figure(-p) + "% fewer"
	case p > 0:
		w = figure(p) + "% more"
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
func (c *chainLine) below(l *liner) {
	var fault *curate.SyntaxError
	switch {
	case errors.As(c.err, &fault) && c.unfinished(fault):
		c.hint(l)
	case errors.As(c.err, &fault):
		c.fault(l, fault)
	case c.err != nil:
		l.own(repeat(" ", len(chainLabel)), plain)
		l.own(c.gated(c.err.Error()), failure)
	case c.held != "":
		c.heldHint(l)
	default:
		c.hint(l)
	}
}

func (c *chainLine) fault(l *liner, e *curate.SyntaxError) {
	at := min(max(e.Pos, 0), len(e.Text))
	column := max(len(chainLabel)+text.Width(e.Text[:at])-c.edit.scroll, 0)
	caret := repeat("^", max(1, min(e.Len, l.left-column)))
	message := c.gated(strings.TrimPrefix(e.Error(), "strategy chain: "))
	if w := text.Width(string(message)); column+len(caret)+1+w > l.left && column > w+1 {
		l.blank(column - w - 1)
		l.own(message, failure)
		l.blank(1)
		l.own(caret, failure)
		return
	}
	l.blank(min(column, l.left-4))
	l.own(caret, failure)
	l.blank(1)
	l.own(message, failure)
}

// hint says what may stand at the cursor.
func (c *chainLine) hint(l *liner) {
	l.own(repeat(" ", len(chainLabel)), plain)
	spec := c.specAt()
	if spec == nil {
		word, _ := c.edit.word()
		if c.cycle != nil {
			word = c.prefix
		}
		l.own("tab  ", keyCap)
		list := names(word, c.presets)
		l.own(words(strings.Join(list, "  ")), dim)
		if spec := specNamed(list); spec != nil {
			l.own("  "+words(spec.Summary), faint)
		}
		return
	}
	if p, inValue := c.paramAt(spec); p != nil && inValue {
		l.own(words(p.Name), accent)
		l.own("  "+words(p.Help), dim)
		if list := valuesOf(p); len(list) > 0 {
			l.own("  tab ", keyCap)
			l.own(words(strings.Join(list, "  ")), dim)
		}
		return
	}
	l.own(words(spec.Name), accent)
	l.own("(", dim)
	for i, p := range spec.Params {
		if i > 0 {
			l.own(", ", dim)
		}
		l.own(words(p.Name), title)
		if p.Default != "" {
			l.own("="+words(p.Default), dim)
		}
	}
	l.own(")  ", dim)
	l.own(words(spec.Summary), faint)
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
