// Package pager shows lines over the whole screen: a long text, a document, the help. It
// scrolls and searches.
//
// The package must never lay out a long text on the way of a frame: a job does.
package pager

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/safe"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// A Pager shows lines over the whole screen: a long message, a document, the
// help, what is known of a view. It scrolls and searches.
type Pager struct {
	Title  kit.Words
	Name   safe.Safe // after the title, where it is from the record
	Blocks []kit.Block
	Lines  []kit.Line // never changed, only replaced
	Width  int        // of the screen
	Done   int        // the width that lines are laid out for, 0 for none
	Top    int
	Rows   int
	Typing *kit.Ask
	needle *kit.Needle
	Hunt   kit.Finder
	Hit    int       // line of the current hit, -1 for none
	Mark   int       // line that is gone to, -1 for none
	Place  kit.Words // which of all of its kind that is
	Failed kit.Words
	past   []string       // what was searched for
	Again  func() tea.Cmd // opens the same anew; nil where nothing would change
	Toggle []string       // keys that opened it, and close it too
	// Cut shows what the compaction that this is about took out; nil where it is about
	// none.
	Cut func() tea.Cmd
}

func New(title kit.Words, blocks []kit.Block) *Pager {
	return &Pager{Title: title, Blocks: blocks, Hit: -1, Mark: -1}
}

// Resize lays the text out for a screen, if it is a short one.
func (p *Pager) Resize(w, h int) {
	p.Rows = max(h-2, 1)
	if p.Width == w {
		return
	}
	p.Width = w
	if p.IsShort() {
		p.Take(kit.WrapBlocks(p.Blocks, w-2, kit.PagerLines, nil), w)
	}
}

func (p *Pager) IsShort() bool {
	left := kit.LayAtOnce
	for i := range p.Blocks {
		left -= len(p.Blocks[i].Text.String())
	}
	return left >= 0
}

func (p *Pager) Unlaid() func() func() {
	if p.Done == p.Width {
		return nil
	}
	blocks, w := p.Blocks, p.Width
	return func() func() {
		lines := kit.WrapBlocks(blocks, w-2, kit.PagerLines, nil)
		return func() { p.Take(lines, w) }
	}
}

// Take takes over lines that were laid out for a screen of w cells.
func (p *Pager) Take(lines []kit.Line, w int) {
	p.Hunt.End()
	p.Lines, p.Done, p.Hit = lines, w, -1
	p.Scroll(0)
}

// screen is a text that scrolls.
func (p *Pager) Keys(h kit.Host) kit.KeyScreen {
	if p.Typing != nil {
		return p.Typing.Screen(p.SearchTyped(h))
	}
	t := p.Table(h, h.Pop)
	t.Rows = append(t.Rows, kit.RevealRow(h, p.Again))
	return kit.KeyScreen{Tables: []kit.KeyTable{t}}
}

// Table is the keys of a text; close is how it is left.
func (p *Pager) Table(h kit.Host, close func() tea.Cmd) kit.KeyTable {
	find := func(d int) func() tea.Cmd { return func() tea.Cmd { return p.Find(h, d) } }
	scroll := func(n int) func() tea.Cmd { return kit.Do(func() { p.Failed = ""; p.Scroll(n) }) }
	leave := append([]string{"esc", "q", "enter"}, p.Toggle...)
	rows := []kit.Action{
		{Keys: []string{"d"}, Hint: kit.Hint{Key: "d", Does: "one by one"}, Help: "in the why of a compaction: what it took out, one by one", Disabled: p.noCut, Run: p.Cut},
		{Keys: []string{"j", "down"}, Hint: kit.Hint{Key: "j k", Does: "scroll"}, Help: "a line down", Run: scroll(1)},
		{Keys: []string{"k", "up"}, Help: "a line up", Run: scroll(-1)},
		{Keys: []string{" ", "pgdown", "ctrl+f", "f"}, Hint: kit.Hint{Key: "space b", Does: "page"}, Help: "a page down; on the panes of a run space folds", Run: scroll(p.Rows)},
		{Keys: []string{"b", "pgup", "ctrl+b"}, Help: "a page up", Run: scroll(-p.Rows)},
		{Keys: []string{"ctrl+d"}, Help: "half a page down", Run: scroll(p.Rows / 2)},
		{Keys: []string{"ctrl+u"}, Help: "half a page up", Run: scroll(-p.Rows / 2)},
		{Keys: []string{"g", "home"}, Hint: kit.Hint{Key: "g G", Does: "top, end"}, Help: "to the top", Run: scroll(-len(p.Lines))},
		{Keys: []string{"G", "end"}, Help: "to the end", Run: scroll(len(p.Lines))},
		{Keys: []string{"/"}, Hint: kit.Hint{Key: "/ n N", Does: "search"}, Help: "search in it", Run: kit.Do(func() { p.Typing = &kit.Ask{Line: kit.NewInput(""), Past: &p.past} })},
		{Keys: []string{"n"}, Help: "next place found", Disabled: p.noNeedle, Run: find(1)},
		{Keys: []string{"N"}, Help: "place found before", Disabled: p.noNeedle, Run: find(-1)},
		{Keys: leave, Hint: kit.Hint{Key: "esc", Does: "close"}, Help: "close", Run: close},
	}
	return kit.KeyTable{Name: "in a text: a document, why, the help", Rows: rows}
}

func (p *Pager) noCut() kit.Words {
	if p.Cut == nil {
		return "this is not the why of a compaction"
	}
	return ""
}

func (p *Pager) noNeedle() kit.Words {
	if p.needle == nil {
		return NothingSought
	}
	return ""
}

// NothingSought says that there is nothing to go to the next place of.
const NothingSought = "nothing is searched for: / begins a search"

// SearchTyped ends the search line and goes to the first place found.
func (p *Pager) SearchTyped(h kit.Host) func(*kit.Needle) tea.Cmd {
	return func(n *kit.Needle) tea.Cmd {
		p.Typing = nil
		if n == nil {
			return nil
		}
		p.needle, p.Hit = n, p.Top-1
		return p.Find(h, 1)
	}
}

func (p *Pager) Wheel(n int) { p.Scroll(n) }

func (p *Pager) Click(kit.Host, kit.Click) tea.Cmd { return nil }

func (p *Pager) Scroll(n int) { p.Top = min(max(p.Top+n, 0), max(len(p.Lines)-p.Rows, 0)) }

// Find goes to the next line that holds the needle, going around.
func (p *Pager) Find(h kit.Host, d int) tea.Cmd {
	p.Failed = ""
	at := p.Hit
	if at < 0 && d < 0 {
		at = 0
	}
	lines, needle := p.Lines, p.needle
	return p.Hunt.Begin(h, &kit.Find{
		Count: len(lines), At: at, Step: d,
		Size: func(i int) int { return lines[i].Size() },
		Holds: func(i int) bool {
			from, _ := needle.Find(lines[i].Words())
			return from >= 0
		},
	}, p.Found)
}

// Found goes to the line that was found.
func (p *Pager) Found(at int) {
	if at < 0 {
		p.Failed = "not found"
		return
	}
	p.Hit = at
	if at < p.Top || at >= p.Top+p.Rows {
		p.Top = at
		p.Scroll(-p.Rows / 3)
	}
}

// Draw paints all of the screen but its last line.
func (p *Pager) Draw(th *kit.Theme, c *kit.Colours, w, h int) []string {
	p.Resize(w, h)
	var l kit.LineWriter
	out := make([]string, 0, h)
	l.Reset(th, w, kit.WeakShade)
	where := p.where()
	l.Within(l.Left-text.Width(string(where))-2, func() {
		l.Words(" "+p.Title, kit.Strong)
		l.Safe(p.Name, kit.Strong)
	})
	l.Blank(1)
	l.Words(where, kit.Dim)
	l.To(0)
	out = append(out, l.String())
	for i := p.Top; i < p.Top+p.Rows; i++ {
		sh := kit.NoShade
		if i == p.Mark {
			sh = kit.CursorShade
		}
		l.Reset(th, w, sh)
		if i < len(p.Lines) {
			b := &p.Lines[i]
			kit.PaintLine(&l, b, b.Style, c.Of(b), p.needle, i == p.Hit, 2-kit.BodyIndent)
			l.To(0)
		}
		out = append(out, l.String())
	}
	return out[:min(len(out), h)]
}

// Foot paints the last line: a search being typed, a fault, else hints.
func (p *Pager) Foot(l *kit.LineWriter, s kit.KeyScreen) {
	switch {
	case p.Typing != nil:
		p.Typing.Paint(l, s)
	case p.Hunt.Now != nil:
		l.Words(" "+kit.Searching, kit.Dim)
	case p.Failed != "":
		l.Words(" ", kit.Failure)
		l.Words(p.Failed, kit.Failure)
	default:
		kit.Hints(l, s.Hints())
	}
}

// where says which lines are shown.
func (p *Pager) where() kit.Words {
	last := min(p.Top+p.Rows, len(p.Lines))
	if p.Lines == nil && p.Done != p.Width {
		return "laying out…"
	}
	if last-p.Top == len(p.Lines) {
		return p.Place + kit.Plural(len(p.Lines), "line")
	}
	return p.Place + "lines " + kit.Int(p.Top+1) + "–" + kit.Int(last) + " of " + kit.Int(len(p.Lines))
}

// Uncoloured is the same of a pager.
func (p *Pager) Uncoloured(c *kit.Colours) []kit.Colouring {
	var list []kit.Colouring
	for _, from := range [...]int{p.Top, p.Top + p.Rows, p.Top - p.Rows} {
		for i := max(from, 0); i < min(from+p.Rows, len(p.Lines)); i++ {
			list = c.Lacking(list, &p.Lines[i])
		}
		if len(list) > 0 {
			break
		}
	}
	return list
}

// Of returns a pager that is laid out for the screen of a reader. It is for jobs.
func Of(r *view.Reader, title kit.Words, blocks []kit.Block) *Pager {
	p := New(title, blocks)
	kit.LayOut(p, r.Sheet.W, r.Sheet.H)
	return p
}
