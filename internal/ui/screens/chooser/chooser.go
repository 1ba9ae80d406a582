// Package chooser is a line to type into with the choices that match it above.
//
// The package must never do what a choice is about before the chooser is closed.
package chooser

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/fuzzy"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
)

// A Choice is one thing a chooser offers.
type Choice struct {
	Name kit.Words // what is typed to find it
	Safe safe.Safe // the same, where it is from the record
	Help kit.Words
	Key  kit.Words // at the right: the key that does the same
	Why  kit.Words // why it is of no use now; "" where it is
	// Fill is put into the line in place of what was typed, when it needs more.
	Fill string
	Run  func() tea.Cmd
}

// A Chooser is a line to type into and, above it, the choices that fit. It covers
// the lower part of the screen.
type Chooser struct {
	title  kit.Words
	prompt kit.Words
	line   *kit.Input
	list   []Choice
	hay    []string
	hits   []fuzzy.Hit
	cursor int
	top    int
	rows   int
	screen int       // its lines
	Names  int       // width of the column of names, in cells
	Idle   kit.Words // said where there is nothing to choose from
	// Typed reads the line itself: what it may mean is offered first.
	Typed func(line string) []Choice
	first []Choice // what typed said
	// Leave follows when nothing was chosen; nil: nothing does.
	Leave func() tea.Cmd
}

// chooserRows is how many choices a chooser shows on a screen with room for them.
const chooserRows = 14

// nameCells is the width of the column of names where nothing else is said, in cells.
const nameCells = 15

// sideCells is the width of what stands at the right of a choice in any case: a key.
// What is longer gives way to what the choice does.
const sideCells = 12

func New(title, prompt kit.Words, list []Choice) *Chooser {
	c := &Chooser{title: title, prompt: prompt, line: kit.NewInput(""), list: list, rows: chooserRows, Names: nameCells, Idle: "nothing fits; esc closes"}
	for i := range list {
		c.hay = append(c.hay, strings.Join([]string{string(list[i].Name), list[i].Safe.String(), string(list[i].Help)}, " "))
	}
	c.filter()
	return c
}

func (c *Chooser) filter() {
	c.first = nil
	if c.Typed != nil {
		c.first = c.Typed(c.line.String())
	}
	c.hits = fuzzy.Rank(c.line.String(), c.hay)
	c.cursor, c.top = 0, 0
}

// Count is how many choices there are now.
func (c *Chooser) Count() int { return len(c.first) + len(c.hits) }

// At is choice i of those that fit.
func (c *Chooser) At(i int) *Choice {
	if i < len(c.first) {
		return &c.first[i]
	}
	return &c.list[c.hits[i-len(c.first)].Index]
}

func (c *Chooser) MoveBy(n int) {
	c.cursor = min(max(c.cursor+n, 0), max(c.Count()-1, 0))
	c.top = min(max(c.top, c.cursor-c.rows+1), c.cursor)
	c.top = max(min(c.top, c.Count()-c.rows), 0)
}

// choose closes the chooser and does what the cursor is on. What cannot be done now stays
// on the screen with its reason.
func (c *Chooser) choose(h kit.Host) tea.Cmd {
	if c.cursor >= c.Count() {
		return nil
	}
	ch := c.At(c.cursor)
	switch {
	case ch.Fill != "":
		c.fill(ch)
		return nil
	case ch.Why != "", ch.Run == nil:
		return nil
	}
	return kit.CloseThen(h, ch.Run)
}

// fill types a choice into the line.
func (c *Chooser) fill(ch *Choice) {
	s := ch.Fill
	if s == "" {
		s = string(ch.Name)
	}
	c.line = kit.NewInput(s)
	c.filter()
}

func (c *Chooser) Click(h kit.Host, at kit.Click) tea.Cmd {
	i := c.top + at.Y - (c.screen - c.height()) - 1
	if i < c.top || i >= min(c.Count(), c.top+c.rows) {
		return nil
	}
	c.cursor = i
	return c.choose(h)
}

func (c *Chooser) Wheel(n int) { c.MoveBy(n) }

func (c *Chooser) Resize(_, h int) {
	c.screen = h
	c.rows = min(chooserRows, max(h-4, 1))
	c.MoveBy(0)
}

func (c *Chooser) Uncoloured(*kit.Colours) []kit.Colouring { return nil }

// height is how many lines it covers: a title, the choices, the line, the keys.
func (c *Chooser) height() int { return c.rows + 3 }

func (c *Chooser) Draw(th *kit.Theme, _ *kit.Colours, w, h int) []string {
	var l kit.LineWriter
	out := make([]string, 0, h)
	l.Reset(th, w, kit.WeakShade)
	n := kit.Plural(c.Count(), "choice")
	l.Within(l.Left-text.Width(string(n))-3, func() { l.Words(" "+c.title, kit.Strong) })
	l.To(text.Width(string(n)) + 1)
	l.Words(n, kit.Dim)
	out = append(out, l.String())
	for y := range c.rows {
		i := c.top + y
		l.Reset(th, w, kit.NoShade)
		if i < c.Count() {
			c.Row(&l, c.At(i), i == c.cursor)
		} else if i == 0 {
			l.Words("  "+c.Idle, kit.Faint)
		}
		out = append(out, l.String())
	}
	l.Reset(th, w, kit.NoShade)
	l.Words(c.prompt, kit.Accent)
	c.line.Paint(&l, kit.Plain)
	out = append(out, l.String())
	return out[:min(len(out), h)]
}

func (c *Chooser) Row(l *kit.LineWriter, ch *Choice, here bool) {
	if here {
		l.On(kit.CursorShade, kit.Plain)
		l.Words("▎ ", kit.Accent)
	} else {
		l.Blank(2)
	}
	st, quiet := kit.Plain, kit.Dim
	if ch.Why != "" {
		st, quiet = kit.Faint, kit.Faint
	}
	side := ch.Key
	if w := text.Width(string(side)); w > sideCells && c.Names+2+text.Width(string(ch.Help))+w+2 > l.Left {
		side = "" // what it does is told rather than where it is from
	}
	key, names := text.Width(string(side)), min(c.Names, max(l.Left/2, nameCells))
	l.Within(l.Left-key-2, func() {
		l.Words(ch.Name, st)
		l.Safe(ch.Safe, st)
		if ch.Help != "" {
			l.Blank(max(names-text.Width(string(ch.Name))-text.Width(ch.Safe.String()), 0) + 2)
			l.Words(ch.Help, quiet)
		}
		if ch.Why != "" {
			l.Words(" · ", kit.Faint)
			l.Words(ch.Why, kit.Changed)
		}
	})
	l.To(key + 1)
	l.Words(side, kit.KeyCap)
	l.To(0)
}
