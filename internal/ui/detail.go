package ui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/model"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/text"
)

// tabNames are the sides of a message that its detail shows, in their order.
var tabNames = [...]words{"text", "record", "request", "facts", "fate"}

const numTabs = len(tabNames)

// A detail shows one message on the whole screen, on tabs. What a tab shows is read
// when it is first looked at.
type detail struct {
	title words
	src   *detailSource
	tabs  [numTabs]overlay // nil until read
	at    int
	form  int // of [export.Forms], on the request tab
	w, h  int
}

// A detailSource is what the tabs are read from. It is for commands.
type detailSource struct {
	reader
	want    want
	item    item
	shown   *shown
	replay  *curate.Replayed // of what is shown
	forms   []string
	call    *model.Call // whose reply the message is, or nil
	isPiece bool        // no message of the thread: added, or a prompt
	prices  func(modelName string) models.Prices
}

// readTab reads a tab in a job.
func (d *detail) readTab(h host, tab int) tea.Cmd {
	type tabOf struct {
		d   *detail
		tab int
	}
	src, form := d.src, d.form
	return h.start(job.Key{Kind: "tab", Of: tabOf{d, tab}}, func(context.Context) func() tea.Cmd {
		inner := src.tab(tab, form)
		return func() tea.Cmd { d.take(tab, inner); return nil }
	})
}

// take shows a tab that was read.
func (d *detail) take(tab int, inner overlay) {
	d.tabs[tab] = inner
	inner.resize(d.w, max(d.h-1, 1))
}

// A detailIntent opens a message on a tab: the one under the cursor, or one by messages
// further on.
type detailIntent struct{ by, tab, form int }

// copyMessageIntent copies the message under the cursor.
type copyMessageIntent struct{}

func (detailIntent) intent()      {}
func (copyMessageIntent) intent() {}

func (d *detail) toTab(h host, tab int) tea.Cmd {
	d.at = tab
	if d.tabs[tab] == nil {
		return d.readTab(h, tab)
	}
	return nil
}

func (d *detail) click(h host, c click) tea.Cmd {
	if c.y > 0 {
		if inner := d.tabs[d.at]; inner != nil {
			c.y--
			return inner.click(h, c)
		}
		return nil
	}
	at := text.Width(string(d.title)) + 3
	for i, name := range tabNames {
		if wide := text.Width(string(name)) + 4; c.x >= at && c.x < at+wide {
			return d.toTab(h, i)
		} else {
			at += wide
		}
	}
	return nil
}

func (d *detail) wheel(n int) {
	if inner := d.tabs[d.at]; inner != nil {
		inner.wheel(n)
	}
}

func (d *detail) resize(w, h int) {
	d.w, d.h = w, h
	for _, t := range d.tabs {
		if t != nil {
			t.resize(w, max(h-1, 1))
		}
	}
}

func (d *detail) unlaid() func() func() {
	if l, ok := d.tabs[d.at].(laidOut); ok {
		return l.unlaid()
	}
	return nil
}

func (d *detail) uncoloured(c *colours) []colouring {
	if inner := d.tabs[d.at]; inner != nil {
		return inner.uncoloured(c)
	}
	return nil
}

func (d *detail) render(th *theme, c *colours, w, h int) []string {
	var l liner
	l.reset(th, w, noShade)
	l.own(" "+d.title+"  ", strong)
	for i, name := range tabNames {
		st := dim
		if i == d.at {
			st = matchHere
		}
		l.own(" "+words('1'+rune(i))+" "+name+" ", st)
	}
	out := []string{l.String()}
	if inner := d.tabs[d.at]; inner != nil {
		out = append(out, inner.render(th, c, w, max(h-1, 1))...)
	}
	for len(out) < h-1 {
		l.reset(th, w, noShade)
		out = append(out, l.String())
	}
	return out[:max(h-1, 0)]
}

func (d *detail) foot(l *liner, s keyScreen) {
	if inner := d.tabs[d.at]; inner != nil {
		inner.foot(l, s)
	} else {
		hints(l, s.hints())
	}
}
