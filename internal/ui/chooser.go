package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
	"agentlens/internal/ui/fuzzy"
	"agentlens/internal/ui/text"
)

// A choice is one thing a chooser offers.
type choice struct {
	name words       // what is typed to find it
	safe export.Safe // the same, where it is from the record
	help words
	key  words // at the right: the key that does the same
	why  words // why it is of no use now; "" where it is
	// fill is put into the line in place of what was typed, when it needs more.
	fill string
	run  func() tea.Cmd
}

// A chooser is a line to type into and, above it, the choices that fit. It covers
// the lower part of the screen.
type chooser struct {
	title  words
	prompt words
	line   *input
	list   []choice
	hay    []string
	hits   []fuzzy.Hit
	cursor int
	top    int
	rows   int
	screen int   // its lines
	names  int   // width of the column of names, in cells
	idle   words // said where there is nothing to choose from
	// typed reads the line itself: what it may mean is offered first.
	typed func(line string) []choice
	first []choice // what typed said
	// leave follows when nothing was chosen; nil: nothing does.
	leave func() tea.Cmd
}

// chooserRows is how many choices a chooser shows on a screen with room for them.
const chooserRows = 14

// nameCells is the width of the column of names where nothing else is said, in cells.
const nameCells = 15

// sideCells is the width of what stands at the right of a choice in any case: a key.
// What is longer gives way to what the choice does.
const sideCells = 12

func newChooser(title, prompt words, list []choice) *chooser {
	c := &chooser{title: title, prompt: prompt, line: newInput(""), list: list, rows: chooserRows, names: nameCells, idle: "nothing fits; esc closes"}
	for i := range list {
		c.hay = append(c.hay, strings.Join([]string{string(list[i].name), list[i].safe.String(), string(list[i].help)}, " "))
	}
	c.filter()
	return c
}

func (c *chooser) filter() {
	c.first = nil
	if c.typed != nil {
		c.first = c.typed(c.line.String())
	}
	c.hits = fuzzy.Rank(c.line.String(), c.hay)
	c.cursor, c.top = 0, 0
}

// count is how many choices there are now.
func (c *chooser) count() int { return len(c.first) + len(c.hits) }

// at is choice i of those that fit.
func (c *chooser) at(i int) *choice {
	if i < len(c.first) {
		return &c.first[i]
	}
	return &c.list[c.hits[i-len(c.first)].Index]
}

func (c *chooser) moveBy(n int) {
	c.cursor = min(max(c.cursor+n, 0), max(c.count()-1, 0))
	c.top = min(max(c.top, c.cursor-c.rows+1), c.cursor)
	c.top = max(min(c.top, c.count()-c.rows), 0)
}

// choose closes the chooser and does what the cursor is on. What cannot be done now stays
// on the screen with its reason.
func (c *chooser) choose(h host) tea.Cmd {
	if c.cursor >= c.count() {
		return nil
	}
	ch := c.at(c.cursor)
	switch {
	case ch.fill != "":
		c.fill(ch)
		return nil
	case ch.why != "", ch.run == nil:
		return nil
	}
	return closeThen(h, ch.run)
}

// fill types a choice into the line.
func (c *chooser) fill(ch *choice) {
	s := ch.fill
	if s == "" {
		s = string(ch.name)
	}
	c.line = newInput(s)
	c.filter()
}

func (c *chooser) click(h host, at click) tea.Cmd {
	i := c.top + at.y - (c.screen - c.height()) - 1
	if i < c.top || i >= min(c.count(), c.top+c.rows) {
		return nil
	}
	c.cursor = i
	return c.choose(h)
}

func (c *chooser) wheel(n int) { c.moveBy(n) }

func (c *chooser) resize(_, h int) {
	c.screen = h
	c.rows = min(chooserRows, max(h-4, 1))
	c.moveBy(0)
}

func (c *chooser) uncoloured(*colours) []colouring { return nil }

// height is how many lines it covers: a title, the choices, the line, the keys.
func (c *chooser) height() int { return c.rows + 3 }

func (c *chooser) render(th *theme, _ *colours, w, h int) []string {
	var l liner
	out := make([]string, 0, h)
	l.reset(th, w, weakShade)
	n := plural(c.count(), "choice")
	l.within(l.left-text.Width(string(n))-3, func() { l.own(" "+c.title, strong) })
	l.to(text.Width(string(n)) + 1)
	l.own(n, dim)
	out = append(out, l.String())
	for y := range c.rows {
		i := c.top + y
		l.reset(th, w, noShade)
		if i < c.count() {
			c.row(&l, c.at(i), i == c.cursor)
		} else if i == 0 {
			l.own("  "+c.idle, faint)
		}
		out = append(out, l.String())
	}
	l.reset(th, w, noShade)
	l.own(c.prompt, accent)
	c.line.paint(&l, plain)
	out = append(out, l.String())
	return out[:min(len(out), h)]
}

func (c *chooser) row(l *liner, ch *choice, here bool) {
	if here {
		l.on(cursorShade, plain)
		l.own("▎ ", accent)
	} else {
		l.blank(2)
	}
	st, quiet := plain, dim
	if ch.why != "" {
		st, quiet = faint, faint
	}
	side := ch.key
	if w := text.Width(string(side)); w > sideCells && c.names+2+text.Width(string(ch.help))+w+2 > l.left {
		side = "" // what it does is told rather than where it is from
	}
	key, names := text.Width(string(side)), min(c.names, max(l.left/2, nameCells))
	l.within(l.left-key-2, func() {
		l.own(ch.name, st)
		l.safe(ch.safe, st)
		if ch.help != "" {
			l.blank(max(names-text.Width(string(ch.name))-text.Width(ch.safe.String()), 0) + 2)
			l.own(ch.help, quiet)
		}
		if ch.why != "" {
			l.own(" · ", faint)
			l.own(ch.why, changed)
		}
	})
	l.to(key + 1)
	l.own(side, keyCap)
	l.to(0)
}
