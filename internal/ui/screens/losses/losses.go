// Package losses lists what later replies needed but their views had lost. Each row is a jump.
//
// The package must never compute a loss: a job does.
package losses

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// Go requests a call and a message, an index in the thread.
type Go struct{ Call, Message int }

// Facts requests the facts of the row at the cursor of the panes.
type Facts struct{}

// Intent marks Go as an intent.
func (Go) Intent() {}

// Intent marks Facts as an intent.
func (Facts) Intent() {}

// A List is a list of losses with a cursor.
type List struct {
	Of     *view.Losses
	Rows   []view.Lost
	Cursor int
	High   int // number of visible rows
	top    int
}

// MoveBy moves the cursor by n rows.
func (l *List) MoveBy(n int) {
	l.Cursor = max(min(l.Cursor+n, len(l.Rows)-1), 0)
	l.top = min(max(l.top, l.Cursor-l.High+1), l.Cursor)
	l.top = max(min(l.top, len(l.Rows)-l.High), 0)
}

// At returns the loss under the cursor, or nil.
func (l *List) At() *view.Lost {
	if l.Cursor >= len(l.Rows) {
		return nil
	}
	return &l.Rows[l.Cursor]
}

// Row returns the position in Rows of visible line y, or -1.
func (l *List) Row(y int) int {
	if i := l.top + y; y >= 0 && y < l.High && i < len(l.Rows) {
		return i
	}
	return -1
}

// needCells is the width of the column of what a call needs, in cells.
const needCells = 38

// Paint paints visible line y. here marks the row under the cursor.
func (l *List) Paint(w *kit.LineWriter, y int, here bool) {
	i := l.Row(y)
	if i < 0 {
		return
	}
	x := &l.Rows[i]
	bar := kit.Words("  ")
	if here && i == l.Cursor {
		w.On(kit.CursorShade, kit.Plain)
		bar = "▎ "
	}
	w.Words(bar, kit.Accent)
	w.Within(10, func() { w.Words("call "+kit.Int(x.Call), kit.Title) })
	says, cells := l.Of.Says(x), min(needCells, w.Left*2/5)
	w.Words(says, kit.Warning)
	w.Blank(max(cells-text.Width(string(says)), 0) + 2)
	w.Words(l.Of.Words(x), kit.Plain)
	w.To(0)
}

// Reply requests the reply of the loss under the cursor, or its message if the reply is not
// recorded.
func (l *List) Reply() Go {
	x := l.At()
	if x.Reply < 0 {
		return l.Message()
	}
	return Go{x.Call, x.Reply}
}

// Message requests the lost message under the cursor, at the call that needs it.
func (l *List) Message() Go {
	x := l.At()
	return Go{x.Call, x.Message}
}

// A Page lists what later replies needed but a compaction or another edit had dropped.
type Page struct {
	List
	title kit.Words
	w     int
}

// New returns a page of losses.
func New(title kit.Words, of *view.Losses, rows []view.Lost) *Page {
	return &Page{title: title, List: List{Of: of, Rows: rows}}
}

// Keys returns the keys of the page.
func (p *Page) Keys(h kit.Host) kit.KeyScreen {
	move := func(n int) func() tea.Cmd { return kit.Do(func() { p.MoveBy(n) }) }
	jump := func(to func() Go) func() tea.Cmd {
		return func() tea.Cmd {
			at := to()
			return kit.CloseThen(h, func() tea.Cmd { return h.Do(at) })
		}
	}
	none := func() kit.Words {
		if p.At() == nil {
			return noRows
		}
		return ""
	}
	return kit.KeyScreen{Tables: []kit.KeyTable{{Name: "in the list of what was needed later", Rows: []kit.Action{
		{Keys: []string{"enter"}, Hint: kit.Hint{Key: "enter", Does: "the reply"}, Help: "go to the reply that needed it", Disabled: none, Run: jump(p.Reply)},
		{Keys: []string{"m"}, Hint: kit.Hint{Key: "m", Does: "the lost message"}, Help: "go to the message that the reply needed", Disabled: none, Run: jump(p.Message)},
		{Keys: []string{"i"}, Hint: kit.Hint{Key: "i", Does: "facts"}, Help: "the facts of the compaction", Run: func() tea.Cmd {
			return kit.CloseThen(h, func() tea.Cmd { return h.Do(Facts{}) })
		}},
		{Keys: []string{"down", "j"}, Hint: kit.Hint{Key: "↑ ↓", Does: "move"}, Help: "the next row", Run: move(1)},
		{Keys: []string{"up", "k"}, Help: "the previous row", Run: move(-1)},
		{Keys: []string{"pgdown", " "}, Help: "a page down", Run: func() tea.Cmd { p.MoveBy(p.High); return nil }},
		{Keys: []string{"pgup"}, Help: "a page up", Run: func() tea.Cmd { p.MoveBy(-p.High); return nil }},
		{Keys: []string{"g", "home"}, Help: "the first row", Run: move(-1 << 20)},
		{Keys: []string{"G", "end"}, Help: "the last row", Run: move(1 << 20)},
		{Keys: []string{"esc", "q"}, Hint: kit.Hint{Key: "esc", Does: "close"}, Help: "close the list", Run: h.Pop},
	}}}}
}

// pageFrame is the number of lines around the rows: the title, the explanation of the row and
// the hints.
const pageFrame = 3

// Resize adapts the number of visible rows to the screen.
func (p *Page) Resize(w, h int) {
	p.w, p.High = w, max(h-pageFrame, 1)
	p.MoveBy(0)
}

// Wheel moves the cursor by n rows.
func (p *Page) Wheel(n int) { p.MoveBy(n) }

// Click selects a row. A click on the selected row goes to its reply.
func (p *Page) Click(h kit.Host, at kit.Click) tea.Cmd {
	i := p.Row(at.Y - 1)
	switch {
	case i < 0:
		return nil
	case i == p.Cursor:
		to := p.Reply()
		return kit.CloseThen(h, func() tea.Cmd { return h.Do(to) })
	}
	p.Cursor = i
	return nil
}

// Uncoloured returns nil: the list has no coloured text.
func (p *Page) Uncoloured(*kit.Colours) []kit.Colouring { return nil }

// Foot paints the hints.
func (p *Page) Foot(l *kit.LineWriter, s kit.KeyScreen) { kit.Hints(l, s.Hints()) }

// Draw paints the page.
func (p *Page) Draw(th *kit.Theme, _ *kit.Colours, w, h int) []string {
	var l kit.LineWriter
	out := make([]string, 0, h)
	line := func(sh kit.Shade, paint func()) {
		l.Reset(th, w, sh)
		paint()
		l.To(0)
		out = append(out, l.String())
	}
	line(kit.WeakShade, func() {
		count := view.CountLosses(p.Rows)
		l.Within(l.Left-text.Width(string(count))-2, func() { l.Words(" "+p.title, kit.Strong) })
		l.Words(" "+count, kit.Dim)
	})
	for y := range p.High {
		line(kit.NoShade, func() { p.Paint(&l, y, true) })
	}
	line(kit.WeakShade, func() {
		if x := p.At(); x != nil {
			l.Words("  "+p.Of.Missing(x), kit.Dim)
		}
	})
	return out[:min(len(out), h-1)]
}
