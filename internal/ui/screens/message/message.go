// Package message shows one message on the whole screen: its text, its record, the request a
// provider would take, what is known of it and what each call was sent of it.
//
// A tab is read when it is first looked at. The package must never show a request unmasked.
package message

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/model"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/view"
)

// tabNames are the sides of a message that its detail shows, in their order.
var tabNames = [...]kit.Words{"text", "record", "request", "facts", "fate"}

const NumTabs = len(tabNames)

// A Message shows one message on the whole screen, on tabs. What a tab shows is read
// when it is first looked at.
type Message struct {
	Title kit.Words
	Src   *Source
	Tabs  [NumTabs]kit.Screen // nil until read
	At    int
	Form  int // of [export.Forms], on the request tab
	w, h  int
}

// A Source is what the tabs are read from. It is for commands.
type Source struct {
	view.Reader
	Want    view.Request
	Item    view.Item
	Shown   *view.Aligned
	Replay  *curate.Replayed // of what is shown
	Forms   []string
	Call    *model.Call // whose reply the message is, or nil
	IsPiece bool        // no message of the thread: added, or a prompt
	Prices  func(modelName string) models.Prices
}

// readTab reads a tab in a job.
func (d *Message) readTab(h kit.Host, tab int) tea.Cmd {
	type tabOf struct {
		d   *Message
		tab int
	}
	src, form := d.Src, d.Form
	return h.Start(job.Key{Kind: "tab", Of: tabOf{d, tab}}, func(context.Context) func() tea.Cmd {
		inner := src.Tab(tab, form)
		return func() tea.Cmd { d.Take(tab, inner); return nil }
	})
}

// Take shows a tab that was read.
func (d *Message) Take(tab int, inner kit.Screen) {
	d.Tabs[tab] = inner
	inner.Resize(d.w, max(d.h-1, 1))
}

// A Open opens a message on a tab: the one under the cursor, or one by messages
// further on.
type Open struct{ By, Tab, Form int }

// Copy copies the message under the cursor.
type Copy struct{}

func (Open) Intent() {}
func (Copy) Intent() {}

func (d *Message) toTab(h kit.Host, tab int) tea.Cmd {
	d.At = tab
	if d.Tabs[tab] == nil {
		return d.readTab(h, tab)
	}
	return nil
}

func (d *Message) Click(h kit.Host, c kit.Click) tea.Cmd {
	if c.Y > 0 {
		if inner := d.Tabs[d.At]; inner != nil {
			c.Y--
			return inner.Click(h, c)
		}
		return nil
	}
	at := text.Width(string(d.Title)) + 3
	for i, name := range tabNames {
		if wide := text.Width(string(name)) + 4; c.X >= at && c.X < at+wide {
			return d.toTab(h, i)
		} else {
			at += wide
		}
	}
	return nil
}

func (d *Message) Wheel(n int) {
	if inner := d.Tabs[d.At]; inner != nil {
		inner.Wheel(n)
	}
}

func (d *Message) Resize(w, h int) {
	d.w, d.h = w, h
	for _, t := range d.Tabs {
		if t != nil {
			t.Resize(w, max(h-1, 1))
		}
	}
}

func (d *Message) Unlaid() func() func() {
	if l, ok := d.Tabs[d.At].(kit.LaidOut); ok {
		return l.Unlaid()
	}
	return nil
}

func (d *Message) Uncoloured(c *kit.Colours) []kit.Colouring {
	if inner := d.Tabs[d.At]; inner != nil {
		return inner.Uncoloured(c)
	}
	return nil
}

func (d *Message) Draw(th *kit.Theme, c *kit.Colours, w, h int) []string {
	var l kit.LineWriter
	l.Reset(th, w, kit.NoShade)
	l.Words(" "+d.Title+"  ", kit.Strong)
	for i, name := range tabNames {
		st := kit.Dim
		if i == d.At {
			st = kit.MatchHere
		}
		l.Words(" "+kit.Int(i+1)+" "+name+" ", st)
	}
	out := []string{l.String()}
	if inner := d.Tabs[d.At]; inner != nil {
		out = append(out, inner.Draw(th, c, w, max(h-1, 1))...)
	}
	for len(out) < h-1 {
		l.Reset(th, w, kit.NoShade)
		out = append(out, l.String())
	}
	return out[:max(h-1, 0)]
}

func (d *Message) Foot(l *kit.LineWriter, s kit.KeyScreen) {
	if inner := d.Tabs[d.At]; inner != nil {
		inner.Foot(l, s)
	} else {
		kit.Hints(l, s.Hints())
	}
}
