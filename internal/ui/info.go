package ui

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export"
	"agentlens/internal/model"
)

// This file opens what covers the screen: a whole message, a document, why a
// view is what it is, the help.

// openMsg is an overlay that is ready to be shown.
type openMsg struct{ overlay overlay }

// openSelected opens what is under the cursor: in the threads it selects.
func (r *root) openSelected() tea.Cmd {
	if r.focus != threadsPane {
		return r.openMessage()
	}
	if r.tree.cursor >= len(r.tree.nodes) {
		return nil
	}
	switch n := r.tree.nodes[r.tree.cursor]; n.kind {
	case threadNode, badgeNode:
		if n.thread == r.thread {
			r.tree.fold()
			return nil
		}
		return r.goThread(n.thread)
	case callNode, nextNode:
		if n.n == r.call {
			r.msgs.toHorizon()
			return nil
		}
		return r.goCall(n.n)
	case markerNode:
		r.goMarker(n.n)
	case documentsNode:
		r.tree.fold()
	case documentNode:
		return r.openDocument(n.n)
	}
	return nil
}

// goMarker puts the cursor of the messages on a marker.
func (r *root) goMarker(n int) {
	if r.msgs.shown == nil {
		return
	}
	for i := range r.msgs.shown.items {
		if it := &r.msgs.shown.items[i]; it.kind == markerItem && int(it.index) == n {
			r.msgs.goTo(i, r.msgs.rows)
			return
		}
	}
}

// wantAtCursor is what the focused side shows of the message under the cursor,
// else what the other does, and what to call it.
func (r *root) wantAtCursor() (w want, name words, ok bool) {
	it := r.msgs.at()
	if it == nil {
		return want{}, "", false
	}
	s := r.focusSide()
	if w, ok = r.msgs.shown.want(it, s == sent); !ok {
		if w, ok = r.msgs.shown.want(it, s != sent); !ok {
			return want{}, "", false
		}
	}
	name = words("prompt of call " + strconv.Itoa(r.call))
	if it.index >= 0 {
		name = words("message " + strconv.Itoa(int(it.index)))
	} else if it.kind == addedItem {
		name = "added message"
	}
	return w, name, true
}

// openDocument opens a document: JSON as a tree, anything else as text.
func (r *root) openDocument(n int) tea.Cmd {
	d := r.scene.run.Documents[n]
	rd := r.reader()
	name := r.scene.docs[n]
	again := func() tea.Cmd { return r.openDocument(n) }
	r.note = "opening…"
	return safely(func() tea.Msg {
		body, err := rd.pieceTexts(append([]model.Ref{d.Body}, d.More...))
		if err != nil {
			p := newPager("", []block{rd.unreadable(err)})
			p.name = name
			return openMsg{p}
		}
		if v := newTreeView("", rd.json(body), rd.whole); v != nil {
			v.name, v.again = name, again
			return openMsg{v}
		}
		shown := rd.whole(body)
		p := newPager("", []block{{kind: textBlock, text: shown, doc: rd.coloured(shown, documentLanguage(d.Name, shown))}})
		p.name, p.again = name, again
		return openMsg{p}
	})
}

// chooseDocument offers the documents of the run.
func (r *root) chooseDocument() {
	var list []choice
	for i, name := range r.scene.docs {
		list = append(list, choice{safe: name, run: func() tea.Cmd { return r.openDocument(i) }})
	}
	r.push(newChooser("documents of this run", " document ", list))
}

func (r *root) noDocuments() words {
	if r.scene == nil || len(r.scene.docs) == 0 {
		return "this run has no documents"
	}
	return ""
}

// pieceTexts reads texts, each on lines of its own.
func (r *reader) pieceTexts(refs []model.Ref) (string, error) {
	var b strings.Builder
	for i, ref := range refs {
		text, err := r.run.Body(ref)
		if err != nil {
			return "", err
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// fact is one line of the explanation of a view.
type fact struct{ key, value string }

// openInfo says how the view is known and what became of the message.
func (r *root) openInfo() tea.Cmd {
	if r.noView() != "" {
		return nil
	}
	s, call, run, gate := r.msgs.shown, r.callAt(), r.scene.run, r.cfg.Gate
	it, wide, high := r.msgs.at(), r.w, r.h
	return safely(func() tea.Msg {
		blocks := factBlocks(gate, "this view", viewFacts(s, call, run))
		if it != nil && it.kind != markerItem && it.kind != horizonItem {
			blocks = append(blocks, factBlocks(gate, "this message", messageFacts(s, it, run))...)
		}
		if it != nil && it.kind == markerItem {
			blocks = append(blocks, factBlocks(gate, "this marker", markerFacts(&s.thread.Markers[it.index], run))...)
		}
		p := newPager("why", blocks)
		p.resize(wide, high)
		return openMsg{p}
	})
}

func factBlocks(gate *export.Gate, head words, facts []fact) []block {
	var b strings.Builder
	for _, f := range facts {
		if f.value != "" {
			fmt.Fprintf(&b, "%-12s %s\n", f.key, oneLine(f.value))
		}
	}
	return []block{{kind: headBlock, note: head}, {kind: textBlock, text: gate.Text(b.String())}}
}

func viewFacts(s *shown, call *model.Call, run *model.Run) []fact {
	facts := []fact{{"basis", string(basisWords(s).text)}, {"means", basisMeans(s)}, {"note", s.view.Note}}
	if s.chain != "" {
		facts = append(facts, fact{"chain", s.chain}, fact{"record says", s.basis.String()})
	}
	facts = append(facts,
		fact{"given", tallyWords(s.view.Original, s.exact)},
		fact{"sent", tallyWords(s.view.Curated, !s.view.Estimated)},
		fact{"counted by", s.method})
	for _, st := range s.view.Stages {
		facts = append(facts, fact{"after", st.Stage + ": " + tallyWords(st.Tally, !s.view.Estimated)})
	}
	if s.view.PrefixKept > 0 {
		facts = append(facts, fact{"prefix", string(plural(s.view.PrefixKept, "leading message")) + " as at the call before"})
	}
	for _, p := range s.view.Problems {
		facts = append(facts, fact{"problem", p.Message})
	}
	if call == nil {
		return append(facts, fact{"call", "the one after the whole record"})
	}
	facts = append(facts, fact{"call", strconv.Itoa(call.Number)}, fact{"model", call.Model}, fact{"usage", usageWords(call.Usage)})
	if at, ok := call.At.At(); ok {
		facts = append(facts, fact{"at", at.Format("2006-01-02 15:04:05 MST")})
	}
	facts = append(facts, fact{"tools", strings.Join(call.Tools, ", ")}, fact{"evidence", run.Where(call.Evidence)}, fact{"prompt", run.Where(call.Prompt)})
	return append(facts, badgeFacts(call.Badges)...)
}

// basisMeans says what a basis claims, and what it does not.
func basisMeans(s *shown) string {
	switch {
	case s.whatIf:
		return "the record does not tell what the provider was given; shown is what it would be if all of the history had been sent"
	case s.view.Basis == model.Simulated:
		return "what this chain would have sent; nothing says that it was"
	case s.view.Basis == model.Recorded:
		return "the record holds what was sent"
	case s.view.Basis == model.Derived:
		return "derived from markers in the record, not itself recorded"
	}
	return ""
}

func messageFacts(s *shown, it *item, run *model.Run) []fact {
	var facts []fact
	var m *model.Message
	if it.index >= 0 {
		m = s.thread.At(int(it.index))
		facts = append(facts, fact{"message", fmt.Sprintf("%d · %s", it.index, m.Role)}, fact{"id", m.ID})
	}
	if e := s.entry(it); e != nil {
		facts = append(facts, fact{"fate", e.Fate.String()}, fact{"by", e.By}, fact{"reason", e.Reason})
		if e.Fate == model.WasChanged {
			facts = append(facts, fact{"tokens", string(about(int64(e.WasTokens), s.exact) + " → " + about(int64(e.Tokens), !s.view.Estimated))})
		}
	} else if it.kind == messageItem {
		facts = append(facts, fact{"fate", "not given at this call"})
	}
	if m == nil {
		return facts
	}
	if it.kind == messageItem && int(it.index) < len(s.tokens) {
		facts = append(facts, fact{"size", string(about(int64(s.tokens[it.index]), s.exact) + " tokens")})
	}
	if at, ok := m.At.At(); ok {
		facts = append(facts, fact{"at", at.Format("2006-01-02 15:04:05 MST")})
	}
	facts = append(facts, fact{"step", m.Step}, fact{"tool", m.ToolName}, fact{"call id", m.CallID})
	for _, c := range m.Calls {
		facts = append(facts, fact{"calls", c.Name + " · " + c.ID + " · " + c.Status()})
	}
	for _, o := range m.Origin {
		facts = append(facts, fact{"record", run.Where(o)})
	}
	return append(facts, badgeFacts(m.Badges)...)
}

func markerFacts(k *model.Marker, run *model.Run) []fact {
	facts := []fact{{"kind", string(k.Kind)}, {"after", fmt.Sprintf("message %d", k.After)}}
	if at, ok := k.At.At(); ok {
		facts = append(facts, fact{"at", at.Format("2006-01-02 15:04:05 MST")})
	}
	for _, d := range k.Detail {
		facts = append(facts, fact{d.Key, fmt.Sprint(d.Value)})
	}
	return append(facts, fact{"record", run.Where(k.Origin)})
}

func badgeFacts(set model.Badges) []fact {
	var facts []fact
	for _, b := range set.List() {
		facts = append(facts, fact{"‹badge›", b.String() + ": " + b.Help()})
	}
	return facts
}

func tallyWords(t model.Tally, exact bool) string {
	return string(plural(t.Messages, "message") + ", " + about(t.Tokens, exact) + " tokens")
}

// usageWords lists the known figures of a usage record.
func usageWords(u model.Usage) string {
	var parts []string
	for _, f := range [...]struct {
		field model.UsageField
		name  string
	}{{model.UsageInput, "input"}, {model.UsageCacheRead, "cache read"}, {model.UsageCacheWrite, "cache write"}, {model.UsageOutput, "output"}, {model.UsageReasoning, "of it reasoning"}} {
		if n, ok := u.Tokens(f.field); ok {
			parts = append(parts, fmt.Sprintf("%d %s", n, f.name))
		}
	}
	if u.Known&model.UsageCost != 0 {
		parts = append(parts, fmt.Sprintf("$%.4f", u.CostUSD))
	}
	if len(parts) == 0 {
		return "not recorded"
	}
	return strings.Join(parts, ", ")
}

// openHelp shows every action and what the badges mean.
func (r *root) openHelp() {
	var blocks []block
	group := words("")
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			blocks = append(blocks, block{kind: headBlock, note: group}, block{kind: textBlock, text: r.cfg.Gate.Text(b.String())})
			b.Reset()
		}
	}
	for _, g := range helpGroups(r.keys.table) {
		group = g
		for i := range r.keys.table {
			if a := &r.keys.table[i]; a.group == g {
				fmt.Fprintf(&b, "%-10s %s\n", a.label, a.help)
			}
		}
		flush()
	}
	group = "commands, typed after :"
	for _, c := range commandTable() {
		fmt.Fprintf(&b, "%-16s %s\n", c.name+" "+c.takes, c.help)
	}
	flush()
	for _, mode := range [...]struct {
		name words
		rows []keyRow
	}{{"in the list of stages, S", stageRows()}, {"on the timeline, T", stripRows()}} {
		group = mode.name
		for _, row := range mode.rows {
			fmt.Fprintf(&b, "%-10s %s\n", row.hint.key, row.help)
		}
		flush()
	}
	group = "marks"
	for _, m := range [...][2]string{
		{"c┊", "changed: the provider got another text"},
		{"d┊", "dropped: the provider did not get it"},
		{"┊", "at the right: a gap; at the left: not given at this call"},
		{"→", "a tool call; ✗ failed"},
		{"∴", "thinking"},
		{"~", "an estimate"},
		{"◆", "the call that is shown"},
	} {
		fmt.Fprintf(&b, "%-10s %s\n", m[0], m[1])
	}
	flush()
	group = "badges"
	for _, bd := range model.AllBadges() {
		fmt.Fprintf(&b, "‹%s›\n    %s\n", bd, bd.Help())
	}
	flush()
	p := newPager("help", blocks)
	p.resize(r.w, r.h)
	r.push(p)
}

func helpGroups(table []action) []words {
	var groups []words
	seen := map[words]bool{}
	for i := range table {
		if g := table[i].group; !seen[g] {
			seen[g] = true
			groups = append(groups, g)
		}
	}
	return groups
}

// searchLine says how a search goes.
func (r *root) searchLine(l *liner) {
	s := r.search
	l.own(" / ", accent)
	l.own(words(s.needle.text), plain)
	if s.needle.scope != everywhere {
		l.own(" in "+scopeNames[s.needle.scope], dim)
	}
	l.blank(2)
	switch n := s.nth(r.msgs.cursor.item); {
	case len(s.hits) == 0 && s.done:
		l.own("not found", failure)
	case n > 0:
		l.own(words(fmt.Sprintf("%d/%d", n, len(s.hits))), strong)
	default:
		l.own(words(fmt.Sprintf("%d found", len(s.hits))), strong)
	}
	if !s.done {
		l.own("…", dim)
	}
	if s.failed != nil {
		l.own("  some texts could not be read", failure)
	}
	l.blank(2)
	hints(l, []hint{{"n N", "next, before"}, {"esc", "end"}})
}
