package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/models"
	"agentlens/internal/export/request"
	"agentlens/internal/model"
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

// detailMsg is a tab that was read.
type detailMsg struct {
	of    *detail
	tab   int
	inner overlay
}

// openMessage opens the message under the cursor, as the focused side shows it.
// A marker has no text: there it is why it stands.
func (r *root) openMessage() tea.Cmd {
	if it := r.msgs.at(); it != nil && (it.kind == markerItem || it.kind == horizonItem) {
		return r.openInfo()
	}
	if r.scene == nil {
		return nil
	}
	form := slices.Index(request.Names(), request.FormOf(r.scene.run.Format, r.modelOf()))
	return r.openDetail(textTab, max(form, 0))
}

func (r *root) openDetail(tab, form int) tea.Cmd {
	w, title, ok := r.wantAtCursor()
	if !ok {
		return nil
	}
	if w.message != nil {
		title += " · " + words(w.message.Role.String())
	}
	t := r.msgs.shown.thread
	src := &detailSource{reader: r.readerOf(t), want: w, item: *r.msgs.at(), shown: r.msgs.shown, forms: request.Names(), isPiece: w.message == nil, prices: r.cfg.Prices}
	if r.replays != nil {
		src.replay = r.replays.recorded
		if r.chain.wanted() != "" && r.replays.chained != nil {
			src.replay = r.replays.chained
		}
	}
	if m := w.message; m != nil && m.Call > 0 && int(m.Call) <= len(t.Calls) {
		src.call = &t.Calls[m.Call-1]
	}
	d := &detail{title: title, src: src, at: tab, form: form}
	return r.opening("opening…", "", func() (overlay, error) {
		d.tabs[tab] = src.tab(tab, form)
		return d, nil
	})
}

// readTab reads a tab of a detail that is open, in a command.
func (r *root) readTab(d *detail, tab int) tea.Cmd {
	src, form := d.src, d.form
	return safely(func() tea.Msg { return detailMsg{d, tab, src.tab(tab, form)} })
}

func (msg detailMsg) arrive(*root) tea.Cmd {
	d := msg.of
	d.tabs[msg.tab] = msg.inner
	d.tabs[msg.tab].resize(d.w, max(d.h-1, 1))
	return nil
}

// openAgain opens the row the cursor went to, or the message that was open where
// that is none.
func (r *root) openAgain(d *detail) tea.Cmd {
	if cmd := r.openDetail(d.at, d.form); cmd != nil {
		return cmd
	}
	r.note = "here is a marker, no message"
	return nil
}

func (r *root) toTab(d *detail, tab int) tea.Cmd {
	d.at = tab
	if d.tabs[tab] == nil {
		return r.readTab(d, tab)
	}
	return nil
}

func (d *detail) click(r *root, x, y int) (done bool, then func() tea.Cmd) {
	if y > 0 {
		if inner := d.tabs[d.at]; inner != nil {
			return inner.click(r, x, y-1)
		}
		return false, nil
	}
	at := text.Width(string(d.title)) + 3
	for i, name := range tabNames {
		if wide := text.Width(string(name)) + 4; x >= at && x < at+wide {
			return false, func() tea.Cmd { return r.toTab(d, i) }
		} else {
			at += wide
		}
	}
	return false, nil
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
