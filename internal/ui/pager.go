package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
	"agentlens/internal/ui/text"
)

// A pager shows lines over the whole screen: a long message, a document, the
// help, what is known of a view. It scrolls and searches.
type pager struct {
	title  words
	name   export.Safe // after the title, where it is from the record
	blocks []block
	lines  []line // never changed, only replaced
	width  int    // of the screen
	done   int    // the width that lines are laid out for, 0 for none
	top    int
	rows   int
	typing *ask
	needle *needle
	hunt   hunter
	hit    int   // line of the current hit, -1 for none
	mark   int   // line that is gone to, -1 for none
	place  words // which of all of its kind that is
	failed words
	past   []string       // what was searched for
	again  func() tea.Cmd // opens the same anew; nil where nothing would change
	toggle []string       // keys that opened it, and close it too
	// cut shows what the compaction that this is about took out; nil where it is about
	// none.
	cut func() tea.Cmd
}

func newPager(title words, blocks []block) *pager {
	return &pager{title: title, blocks: blocks, hit: -1, mark: -1}
}

// resize lays the text out for a screen, if it is a short one.
func (p *pager) resize(w, h int) {
	p.rows = max(h-2, 1)
	if p.width == w {
		return
	}
	p.width = w
	if p.isShort() {
		p.take(wrapBlocks(p.blocks, w-2, pagerLines, nil), w)
	}
}

func (p *pager) isShort() bool {
	left := layAtOnce
	for i := range p.blocks {
		left -= len(p.blocks[i].text.String())
	}
	return left >= 0
}

func (p *pager) unlaid() func() func() {
	if p.done == p.width {
		return nil
	}
	blocks, w := p.blocks, p.width
	return func() func() {
		lines := wrapBlocks(blocks, w-2, pagerLines, nil)
		return func() { p.take(lines, w) }
	}
}

// take takes over lines that were laid out for a screen of w cells.
func (p *pager) take(lines []line, w int) {
	p.hunt.end()
	p.lines, p.done, p.hit = lines, w, -1
	p.scroll(0)
}

// screen is a text that scrolls.
func (p *pager) keyTables(h host) keyScreen {
	if p.typing != nil {
		return p.typing.screen(p.searchTyped(h))
	}
	t := p.table(h, h.pop)
	t.rows = append(t.rows, revealRow(h, p.again))
	return keyScreen{tables: []keyTable{t}}
}

// table is the keys of a text; close is how it is left.
func (p *pager) table(h host, close func() tea.Cmd) keyTable {
	find := func(d int) func() tea.Cmd { return func() tea.Cmd { return p.find(h, d) } }
	scroll := func(n int) func() tea.Cmd { return do(func() { p.failed = ""; p.scroll(n) }) }
	leave := append([]string{"esc", "q", "enter"}, p.toggle...)
	rows := []action{
		{keys: []string{"d"}, hint: hint{"d", "one by one"}, help: "in the why of a compaction: what it took out, one by one", disabled: p.noCut, run: p.cut},
		{keys: []string{"j", "down"}, hint: hint{"j k", "scroll"}, help: "a line down", run: scroll(1)},
		{keys: []string{"k", "up"}, help: "a line up", run: scroll(-1)},
		{keys: []string{" ", "pgdown", "ctrl+f", "f"}, hint: hint{"space b", "page"}, help: "a page down; on the panes of a run space folds", run: scroll(p.rows)},
		{keys: []string{"b", "pgup", "ctrl+b"}, help: "a page up", run: scroll(-p.rows)},
		{keys: []string{"ctrl+d"}, help: "half a page down", run: scroll(p.rows / 2)},
		{keys: []string{"ctrl+u"}, help: "half a page up", run: scroll(-p.rows / 2)},
		{keys: []string{"g", "home"}, hint: hint{"g G", "top, end"}, help: "to the top", run: scroll(-len(p.lines))},
		{keys: []string{"G", "end"}, help: "to the end", run: scroll(len(p.lines))},
		{keys: []string{"/"}, hint: hint{"/ n N", "search"}, help: "search in it", run: do(func() { p.typing = &ask{line: newInput(""), past: &p.past} })},
		{keys: []string{"n"}, help: "next place found", disabled: p.noNeedle, run: find(1)},
		{keys: []string{"N"}, help: "place found before", disabled: p.noNeedle, run: find(-1)},
		{keys: leave, hint: hint{"esc", "close"}, help: "close", run: close},
	}
	return keyTable{"in a text: a document, why, the help", rows}
}

func (p *pager) noCut() words {
	if p.cut == nil {
		return "this is not the why of a compaction"
	}
	return ""
}

func (p *pager) noNeedle() words {
	if p.needle == nil {
		return nothingSought
	}
	return ""
}

// nothingSought says that there is nothing to go to the next place of.
const nothingSought = "nothing is searched for: / begins a search"

// searchTyped ends the search line and goes to the first place found.
func (p *pager) searchTyped(h host) func(*needle) tea.Cmd {
	return func(n *needle) tea.Cmd {
		p.typing = nil
		if n == nil {
			return nil
		}
		p.needle, p.hit = n, p.top-1
		return p.find(h, 1)
	}
}

func (p *pager) wheel(n int) { p.scroll(n) }

func (p *pager) click(host, click) tea.Cmd { return nil }

func (p *pager) scroll(n int) { p.top = min(max(p.top+n, 0), max(len(p.lines)-p.rows, 0)) }

// find goes to the next line that holds the needle, going around.
func (p *pager) find(h host, d int) tea.Cmd {
	p.failed = ""
	at := p.hit
	if at < 0 && d < 0 {
		at = 0
	}
	lines, needle := p.lines, p.needle
	return p.hunt.begin(h, &hunt{
		count: len(lines), at: at, step: d,
		size: func(i int) int { return lines[i].size() },
		holds: func(i int) bool {
			from, _ := needle.Find(lines[i].words())
			return from >= 0
		},
	}, p.found)
}

// found goes to the line that was found.
func (p *pager) found(at int) {
	if at < 0 {
		p.failed = "not found"
		return
	}
	p.hit = at
	if at < p.top || at >= p.top+p.rows {
		p.top = at
		p.scroll(-p.rows / 3)
	}
}

// render paints all of the screen but its last line.
func (p *pager) render(th *theme, c *colours, w, h int) []string {
	p.resize(w, h)
	var l liner
	out := make([]string, 0, h)
	l.reset(th, w, weakShade)
	where := p.where()
	l.within(l.left-text.Width(string(where))-2, func() {
		l.own(" "+p.title, strong)
		l.safe(p.name, strong)
	})
	l.blank(1)
	l.own(where, dim)
	l.to(0)
	out = append(out, l.String())
	for i := p.top; i < p.top+p.rows; i++ {
		sh := noShade
		if i == p.mark {
			sh = cursorShade
		}
		l.reset(th, w, sh)
		if i < len(p.lines) {
			b := &p.lines[i]
			paintLine(&l, b, b.style, c.of(b), p.needle, i == p.hit, 2-bodyIndent)
			l.to(0)
		}
		out = append(out, l.String())
	}
	return out[:min(len(out), h)]
}

// foot paints the last line: a search being typed, a fault, else hints.
func (p *pager) foot(l *liner, s keyScreen) {
	switch {
	case p.typing != nil:
		p.typing.paint(l, s)
	case p.hunt.now != nil:
		l.own(" "+searching, dim)
	case p.failed != "":
		l.own(" ", failure)
		l.own(p.failed, failure)
	default:
		hints(l, s.hints())
	}
}

// where says which lines are shown.
func (p *pager) where() words {
	last := min(p.top+p.rows, len(p.lines))
	if p.lines == nil && p.done != p.width {
		return "laying out…"
	}
	if last-p.top == len(p.lines) {
		return p.place + plural(len(p.lines), "line")
	}
	return p.place + "lines " + figureWhole(p.top+1) + "–" + figureWhole(last) + " of " + figureWhole(len(p.lines))
}

// uncoloured is the same of a pager.
func (p *pager) uncoloured(c *colours) []colouring {
	var list []colouring
	for _, from := range [...]int{p.top, p.top + p.rows, p.top - p.rows} {
		for i := max(from, 0); i < min(from+p.rows, len(p.lines)); i++ {
			list = c.lacking(list, &p.lines[i])
		}
		if len(list) > 0 {
			break
		}
	}
	return list
}

// pagerOf returns a pager that is laid out for the screen of a reader. It is for jobs.
func pagerOf(r *reader, title words, blocks []block) *pager {
	p := newPager(title, blocks)
	layOut(p, r.sheet.w, r.sheet.h)
	return p
}
