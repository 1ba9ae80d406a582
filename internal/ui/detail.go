package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/export"
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
}

// detailMsg is a tab that was read.
type detailMsg struct {
	of    *detail
	tab   int
	inner overlay
	open  bool // the detail is to be shown now
}

// openMessage opens the message under the cursor, as the focused side shows it.
// A marker has no text: there it is why it stands.
func (r *root) openMessage() tea.Cmd {
	if it := r.msgs.at(); it != nil && (it.kind == markerItem || it.kind == horizonItem) {
		return r.openInfo()
	}
	return r.openDetail(textTab, 0)
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
	src := &detailSource{reader: r.readerOf(t), want: w, item: *r.msgs.at(), shown: r.msgs.shown, forms: export.Forms(), isPiece: w.message == nil}
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
	r.note = "opening…"
	return r.readTab(d, tab, true)
}

// readTab reads a tab in a command.
func (r *root) readTab(d *detail, tab int, open bool) tea.Cmd {
	src, form := d.src, d.form
	return safely(func() tea.Msg { return detailMsg{d, tab, src.tab(tab, form), open} })
}

func (r *root) takeDetail(msg detailMsg) {
	d := msg.of
	d.tabs[msg.tab] = msg.inner
	d.tabs[msg.tab].resize(d.w, max(d.h-1, 1))
	if msg.open {
		r.note = ""
		r.push(d)
	}
}

func (d *detail) key(r *root, k tea.KeyMsg) (done bool, then func() tea.Cmd) {
	inner := d.tabs[d.at]
	if p, ok := inner.(*pager); ok && p.typing != nil {
		return inner.key(r, k)
	}
	if v, ok := inner.(*treeView); ok && v.typing != nil {
		return inner.key(r, k)
	}
	tab := d.at
	switch key := k.String(); key {
	case "tab":
		tab = (d.at + 1) % numTabs
	case "shift+tab":
		tab = (d.at + numTabs - 1) % numTabs
	case "1", "2", "3", "4", "5":
		tab = int(key[0] - '1')
	case "J", "K":
		step := 1
		if key == "K" {
			step = -1
		}
		return true, func() tea.Cmd { r.msgs.moveItem(step, r.msgs.rows); return r.openAgain(d) }
	case "f":
		if d.at == requestTab {
			return true, func() tea.Cmd { return r.openDetail(d.at, (d.form+1)%len(d.src.forms)) }
		}
	case "R":
		return true, func() tea.Cmd { r.toggleReveal(); return r.openDetail(d.at, d.form) }
	case "y":
		if _, ok := inner.(*treeView); !ok {
			return false, r.yankMessage
		}
		return inner.key(r, k)
	default:
		if inner == nil {
			return key == "esc" || key == "q", nil
		}
		return inner.key(r, k)
	}
	return false, func() tea.Cmd { return r.toTab(d, tab) }
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
		return r.readTab(d, tab, false)
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
	hint := words("tab: next · J K: message ")
	if d.at == requestTab {
		hint = "f: next form · " + hint
	}
	if n := text.Width(string(hint)); n+1 < l.left {
		l.to(n)
		l.own(hint, faint)
	}
	out := []string{l.String()}
	if inner := d.tabs[d.at]; inner != nil {
		out = append(out, inner.render(th, c, w, max(h-1, 1))...)
	}
	for len(out) < h {
		l.reset(th, w, noShade)
		out = append(out, l.String())
	}
	return out[:h]
}

// Places of the tabs.
const (
	textTab = iota
	recordTab
	requestTab
	factsTab
	fateTab
)

// tab reads a tab.
func (s *detailSource) tab(n, form int) overlay {
	switch n {
	case recordTab:
		return s.record()
	case requestTab:
		return s.request(s.forms[form])
	case factsTab:
		return s.pagerOf("facts", append(factBlocks(s.gate, "this message", messageFacts(s.shown, &s.item, s.run)), s.costBlocks()...))
	case fateTab:
		return s.pagerOf("what became of it at every call", s.fateBlocks())
	}
	return s.pagerOf(s.name(), s.blocks(s.want))
}

func (s *detailSource) name() words {
	if s.item.index < 0 {
		return "not in the history"
	}
	name := "message " + figureWhole(int(s.item.index))
	if s.want.message != nil {
		name += " · " + words(s.want.message.Role.String())
	}
	return name
}

func (s *detailSource) pagerOf(title words, blocks []block) *pager { return newPager(title, blocks) }

// says is a tab that only says something.
func (s *detailSource) says(title, what words) overlay {
	return s.pagerOf(title, []block{{kind: headBlock, note: what}})
}

// record is the records the message was read from: as a tree, or as text.
func (s *detailSource) record() overlay {
	if s.isPiece {
		return s.says("record", "this is no message of the record: it was put into the view")
	}
	m := s.want.message
	if len(m.Origin) == 0 {
		return s.says("record", "the reader of this format does not tell which record it was read from")
	}
	doc, err := s.pieceTexts(m.Origin)
	if err != nil {
		return s.pagerOf("record", []block{s.unreadable(err)})
	}
	where := s.gate.Line(s.run.Where(m.Origin[0]))
	safe := s.json(doc)
	if v := newTreeView("record · ", safe, s.whole); v != nil {
		v.name = where
		if len(m.Origin) > 1 {
			v.note = "the message was read from " + plural(len(m.Origin), "record") + ", one below the other"
		}
		return v
	}
	p := s.pagerOf("record · ", []block{{kind: textBlock, text: s.whole(doc)}})
	p.name = where
	return p
}

// request is the message alone as a provider would be sent it, masked always.
func (s *detailSource) request(form string) overlay {
	title := words("request · " + form + " · ")
	e := model.Entry{Index: s.item.index}
	if got := s.want.entry; got != nil {
		e = *got
	} else if s.want.message != nil {
		e.Role = s.want.message.Role
	} else {
		return s.says(title, "a rendered prompt is one text, no message: see the text tab")
	}
	raw, losses, err := export.Request(form, s.gate, s.run, s.thread, &model.View{Entries: []model.Entry{e}})
	if err != nil {
		return s.pagerOf(title, []block{s.unreadable(err)})
	}
	v := newTreeView(title, s.gate.Text(string(raw)), s.gate.Text)
	if v == nil {
		return s.pagerOf(title, []block{{kind: textBlock, text: s.gate.Text(string(raw))}})
	}
	v.name = s.gate.Literal("as lens export would write it, secrets masked")
	if len(losses) > 0 {
		var parts []string
		for _, l := range losses {
			parts = append(parts, l.What)
		}
		v.note = "not carried over: " + words(strings.Join(parts, "; "))
	}
	v.tree.FoldBelow(1 << 30)
	v.lay()
	return v
}

// costBlocks says what the call that made the message used, and what carrying it
// along cost.
func (s *detailSource) costBlocks() []block {
	var facts []fact
	if m := s.want.message; m != nil && m.Source != "" {
		facts = append(facts, fact{"source", m.Source})
	}
	if c := s.call; c != nil {
		facts = append(facts, fact{"reply to", fmt.Sprintf("call %d", c.Number)}, fact{"model", c.Model}, fact{"usage", usageWords(c.Usage)}, fact{"cost", costWords(c.Usage)})
	}
	if s.item.kind == messageItem && s.replay != nil {
		var calls int
		var tokens int64
		for _, f := range s.replay.Fates(int(s.item.index)) {
			n := f.To - f.From + 1
			if f.To > s.replay.Calls() { // the one after the record was not sent
				n--
			}
			if f.Given && f.Known && f.Entry.Fate != model.WasDropped {
				calls += n
				tokens += int64(n) * int64(f.Entry.Tokens)
			}
		}
		if calls > 0 {
			facts = append(facts, fact{"carried", string(plural(calls, "call") + ", " + about(tokens, s.shown.exact) + " tokens in all")})
		}
	}
	if len(facts) == 0 {
		return nil
	}
	return factBlocks(s.gate, "its cost", facts)
}

func costWords(u model.Usage) string {
	if u.Known&model.UsageCost == 0 {
		return "not recorded"
	}
	return fmt.Sprintf("$%.4f", u.CostUSD)
}

// fateSigns draw a fate in the strip, so that each is told without colours.
var fateSigns = [...]string{model.Kept: "=", model.WasChanged: "~", model.WasDropped: "-", model.Added: "+"}

// stripWidth is how many calls the strip of fates shows in a line.
const stripWidth = 50

// fateBlocks draw a sign for every call, and say the runs in words.
func (s *detailSource) fateBlocks() []block {
	if s.item.kind != messageItem || s.replay == nil {
		return []block{{kind: headBlock, note: "only messages of the thread are followed from call to call"}}
	}
	var signs, runs strings.Builder
	t := s.thread
	for _, f := range s.replay.Fates(int(s.item.index)) {
		sign, says := ".", "not given"
		switch {
		case !f.Known:
			sign, says = "?", "the record does not tell what was sent"
		case f.Given:
			sign, says = fateSigns[f.Entry.Fate], fateWords(&f.Entry)
		}
		signs.WriteString(strings.Repeat(sign, f.To-f.From+1))
		name := string(callName(t, f.From))
		if f.To > f.From {
			name += " to " + strings.TrimPrefix(string(callName(t, f.To)), "call ")
		}
		fmt.Fprintf(&runs, "%-16s %s %s\n", name, sign, says)
	}
	all := signs.String()
	var strip strings.Builder
	for at := 0; at < len(all); at += stripWidth {
		fmt.Fprintf(&strip, "%6d  %s\n", at+1, all[at:min(at+stripWidth, len(all))])
	}
	return []block{
		{kind: headBlock, note: "a sign for each call: = as it is  ~ changed  - dropped  . not given  ? not recorded"},
		{kind: textBlock, text: s.gate.Text(strip.String())},
		{kind: headBlock, note: "in words"},
		{kind: textBlock, text: s.gate.Text(runs.String())},
	}
}

func fateWords(e *model.Entry) string {
	says := e.Fate.String()
	if e.Fate == model.WasChanged {
		says += fmt.Sprintf(", %d → %d tokens", e.WasTokens, e.Tokens)
	}
	if e.By != "" {
		says += " by " + e.By
	}
	if e.Reason != "" {
		says += ": " + e.Reason
	}
	return oneLine(says)
}
