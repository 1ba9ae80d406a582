package ui

import (
	"strconv"

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
	lines  []line
	width  int
	top    int
	rows   int
	typing *ask
	needle *needle
	hit    int // line of the current hit, -1 for none
	failed words
	// lay lays the lines out for a width, where they do not come from blocks.
	lay   func(width int) []line
	again func() tea.Cmd // opens the same anew; nil where nothing would change
	// more is a key that shows more of the same on top of this; none where moreThen
	// is nil.
	more     hint
	moreThen func() tea.Cmd
}

func newPager(title words, blocks []block) *pager {
	return &pager{title: title, blocks: blocks, hit: -1}
}

// resize lays the text out for a screen.
func (p *pager) resize(w, h int) {
	p.rows = max(h-2, 1)
	if p.width == w {
		return
	}
	p.width = w
	if p.lay != nil {
		p.lines = p.lay(w - 2)
	} else {
		p.lines = wrapBlocks(p.blocks, w-2, 0, nil)
	}
	p.hit = -1
	p.scroll(0)
}

func (p *pager) wheel(n int) { p.scroll(n) }

func (p *pager) click(*root, int, int) (bool, func() tea.Cmd) { return false, nil }

func (p *pager) scroll(n int) { p.top = min(max(p.top+n, 0), max(len(p.lines)-p.rows, 0)) }

func (p *pager) key(r *root, k tea.KeyMsg) (done bool, then func() tea.Cmd) {
	if p.typing != nil {
		p.typeKey(k)
		return false, nil
	}
	if p.moreThen != nil && k.String() == string(p.more.key) {
		return false, p.moreThen
	}
	switch k.String() {
	case "q", "esc", "enter", "i", "?":
		return true, nil
	case "R":
		if p.again == nil {
			return false, nil
		}
		return true, func() tea.Cmd { r.toggleReveal(); return p.again() }
	case "j", "down":
		p.scroll(1)
	case "k", "up":
		p.scroll(-1)
	case "pgdown", " ", "ctrl+f":
		p.scroll(p.rows)
	case "pgup", "b", "ctrl+b":
		p.scroll(-p.rows)
	case "ctrl+d":
		p.scroll(p.rows / 2)
	case "ctrl+u":
		p.scroll(-p.rows / 2)
	case "g", "home":
		p.top = 0
	case "G", "end":
		p.scroll(len(p.lines))
	case "/":
		p.typing = &ask{line: newInput("")}
	case "n":
		p.find(1)
	case "N":
		p.find(-1)
	}
	return false, nil
}

func (p *pager) typeKey(k tea.KeyMsg) {
	n, done := p.typing.key(k)
	if !done {
		return
	}
	p.typing = nil
	if n != nil {
		p.needle, p.hit = n, p.top-1
		p.find(1)
	}
}

// find goes to the next line that holds the needle, going around.
func (p *pager) find(d int) {
	p.failed = ""
	if p.needle == nil || len(p.lines) == 0 {
		return
	}
	n := len(p.lines)
	for step := 1; step <= n; step++ {
		i := ((p.hit+d*step)%n + n) % n
		l := &p.lines[i]
		if from, _ := p.needle.Find(l.words()); from >= 0 {
			p.hit = i
			if i < p.top || i >= p.top+p.rows {
				p.top = i
				p.scroll(-p.rows / 3)
			}
			return
		}
	}
	p.failed = "not found"
}

// render paints the whole screen.
func (p *pager) render(th *theme, c *colours, w, h int) []string {
	p.resize(w, h)
	var l liner
	out := make([]string, 0, h)
	l.reset(th, w, weakShade)
	l.own(" ", strong)
	l.own(p.title, strong)
	l.safe(p.name, strong)
	l.blank(2)
	where := p.where()
	l.to(text.Width(string(where)) + 1)
	l.own(where, dim)
	out = append(out, l.String())
	for i := p.top; i < p.top+p.rows; i++ {
		l.reset(th, w, noShade)
		if i < len(p.lines) {
			b := &p.lines[i]
			paintLine(&l, b, b.style, c.of(b), p.needle, i == p.hit, 2-bodyIndent)
		}
		out = append(out, l.String())
	}
	l.reset(th, w, noShade)
	switch {
	case p.typing != nil:
		p.typing.paint(&l)
	case p.failed != "":
		l.own(" ", failure)
		l.own(p.failed, failure)
	default:
		list := []hint{{"j k", "scroll"}, {"space b", "page"}, {"g G", "top, end"}, {"/ n N", "search"}, {"esc", "close"}}
		if p.moreThen != nil {
			list = append([]hint{p.more}, list...)
		}
		if p.again != nil {
			list = append(list, hint{"R", "reveal or mask"})
		}
		hints(&l, list)
	}
	return append(out, l.String())[:h]
}

func (p *pager) where() words {
	last := min(p.top+p.rows, len(p.lines))
	return words(strconv.Itoa(last)) + " of " + plural(len(p.lines), "line")
}
