package ui

import (
	"context"
	"sort"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/model"
	"agentlens/internal/ui/text"
	"agentlens/internal/ui/worddiff"
)

// A diffView shows what differs between two lists of messages, inline and word by
// word. It is a pager whose lines know the message they belong to.
type diffView struct {
	*pager
	mode    diffMode
	call    int
	texts   []diffText
	left    int // rows that are not shown
	summary words
	marks   bool // brackets stand for colours
	starts  []int
	exact   bool // token figures are counts
	at      int  // the change gone to last, -1 for none
	targets []int
}

// diffMsg is a diff that is ready.
type diffMsg struct {
	view *diffView
	err  error
}

// openDiff compares, in a command, what the mode asks for.
func (r *root) openDiff(mode diffMode, call int) tea.Cmd {
	t := r.threadNow()
	if mode == callAgainstNext && call > len(t.Calls) {
		call = len(t.Calls)
		if call == 0 {
			r.note = "there is no call to compare with the next"
			return nil
		}
	}
	j := job{
		run: r.scene.run, thread: t, marks: r.scene.markers[r.thread], call: call, chain: r.chain.wanted(),
		sizes: r.sizes[t], window: r.window(), gate: r.cfg.Gate, had: r.replays,
	}
	rd, ctx, marks := r.reader(), r.ctx, !r.th.coloured
	r.note = "comparing…"
	return safely(func() tea.Msg {
		v, err := j.diff(ctx, rd, mode)
		if v != nil {
			v.marks = marks
		}
		return diffMsg{v, err}
	})
}

// diff forms the views and compares them.
func (j job) diff(ctx context.Context, rd reader, mode diffMode) (*diffView, error) {
	here, basis, exact, err := j.view(ctx)
	if err != nil {
		return nil, err
	}
	a, b := givenOf(here), sentOf(here)
	title := diffNames[mode] + " · call " + words(strconv.Itoa(j.call)) + " · " + basis
	if mode == callAgainstNext {
		j.call++
		next, nextBasis, _, err := j.view(ctx)
		if err != nil {
			return nil, err
		}
		a, b = b, sentOf(next)
		title = "call " + words(strconv.Itoa(j.call-1)) + " (" + basis + ") against " + callName(j.thread, j.call) + " (" + nextBasis + ")"
		j.call--
	}
	rows := mergeRows(a, b)
	v := &diffView{pager: newPager(title, nil), mode: mode, call: j.call, exact: exact, at: -1, summary: diffSummary(rows, mode)}
	if v.texts, v.left = (diffReader{&rd, &rd}).texts(ctx, runRows(rows)); mode == fullAgainstView {
		for i := range v.texts {
			v.texts[i].row.broke = false
		}
	}
	v.lay = v.layOut
	return v, nil
}

// view forms the view of the call as the panes would show it, and says how it is known.
func (j job) view(ctx context.Context) (v *model.View, basis words, exact bool, err error) {
	f := j.form(ctx)
	if f.err != nil {
		return nil, "", false, f.err
	}
	return f.shown.view, basisWords(f.shown).text, f.shown.exact && !f.shown.view.Estimated, nil
}

func diffSummary(rows []diffRow, mode diffMode) words {
	var n [4]int
	for i := range rows {
		n[rows[i].kind]++
	}
	gone := words("dropped")
	if mode != fullAgainstView {
		gone = "gone"
	}
	return words(strconv.Itoa(n[sameRow])) + " the same · " + words(strconv.Itoa(n[changedRow])) + " changed · " + words(strconv.Itoa(n[goneRow])) + " " + gone + " · " + words(strconv.Itoa(n[newRow])) + " new"
}

// takeDiff shows a diff, in place of one that is shown already.
func (r *root) takeDiff(msg diffMsg) {
	r.note = ""
	if msg.err != nil {
		r.note, r.noteText = "these cannot be compared: ", r.cfg.Gate.Line(oneLine(msg.err.Error()))
		return
	}
	if n := len(r.overlays); n > 0 {
		if _, ok := r.overlays[n-1].(*diffView); ok {
			r.overlays = r.overlays[:n-1]
		}
	}
	r.push(msg.view)
}

// toChange goes to the next change in direction d.
func (v *diffView) toChange(d int) {
	v.failed = ""
	next := v.at + d
	if v.at < 0 && d > 0 {
		next = 0
	}
	if next < 0 || next >= len(v.starts) {
		v.failed = "no other change this way"
		return
	}
	v.top = v.starts[next]
	v.scroll(-2)
	v.stand(next)
}

// stand marks a change as the one that enter goes to.
func (v *diffView) stand(i int) {
	v.at, v.mark = i, v.starts[i]
	v.place = "change " + figureWhole(i+1) + " of " + figureWhole(len(v.starts)) + " · "
}

// click stands on the change under the mouse; a second click goes there.
func (v *diffView) click(r *root, _, y int) (done bool, then func() tea.Cmd) {
	line := v.top + y - 1
	if y < 1 || line >= len(v.lines) {
		return false, nil
	}
	i := sort.SearchInts(v.starts, line+1) - 1 // the change the line is of, or is below
	if i < 0 {
		return false, nil
	}
	if v.stand(i); r.clicked.double {
		return false, func() tea.Cmd { return v.goThere(r) }
	}
	return false, nil
}

// layOut lays the rows out for a width.
func (v *diffView) layOut(width int) []line {
	out := []line{{own: v.summary, style: title, indent: bodyIndent - 3}}
	v.starts, v.targets, v.at, v.mark, v.place = nil, nil, -1, -1, ""
	for i := range v.texts {
		t := &v.texts[i]
		if t.row.broke {
			out = append(out, line{own: "── the prefix breaks here: from here on nothing cached of the call before can be used ──", style: changed, indent: bodyIndent - 3})
		}
		if t.row.kind != sameRow {
			v.starts = append(v.starts, len(out))
			v.targets = append(v.targets, t.row.first)
		}
		out = v.rowLines(out, t, width)
	}
	if len(v.starts) == 0 {
		out = append(out, line{own: "nothing differs", style: dim, indent: bodyIndent - 3})
	}
	if v.left > 0 {
		out = append(out, line{own: "… " + plural(v.left, "more row") + " are not shown: there are too many", style: changed, indent: bodyIndent - 3})
	}
	return out
}

var rowSigns = [...]struct {
	sign words
	st   style
}{sameRow: {"= ", faint}, changedRow: {"~ ", changed}, goneRow: {"- ", deleted}, newRow: {"+ ", inserted}}

func (v *diffView) rowLines(out []line, t *diffText, width int) []line {
	sign := rowSigns[t.row.kind]
	head := line{own: sign.sign + v.rowWords(&t.row), style: sign.st, indent: bodyIndent - 3}
	if t.row.kind != changedRow && len(t.lines) > 0 {
		head.parts = append(head.parts, t.lines[0]...)
		return append(out, head)
	}
	out = append(out, head)
	for i, parts := range t.lines {
		if n := t.fold[i]; n > 0 {
			out = append(out, line{own: "… " + plural(n, "line"), style: faint, indent: bodyIndent})
		}
		for _, wrapped := range wrapParts(parts, width-bodyIndent-2, v.marks) {
			out = append(out, line{parts: wrapped, indent: bodyIndent, marks: v.marks})
		}
	}
	if t.more > 0 {
		out = append(out, line{own: "… " + plural(t.more, "line"), style: faint, indent: bodyIndent})
	}
	return out
}

// rowWords says what a row is about.
func (v *diffView) rowWords(r *diffRow) words {
	e := r.b
	if e == nil {
		e = r.a
	}
	tokens := " · " + about(r.tokens, v.exact) + " tokens"
	switch {
	case r.kind == sameRow:
		return plural(r.count, "message") + " the same" + span(r)
	case r.count > 1:
		return plural(r.count, "more message") + span(r) + tokens
	case r.kind == changedRow:
		return nameOf(e) + " · " + about(int64(r.a.Tokens), v.exact) + " → " + about(int64(r.b.Tokens), v.exact) + " tokens"
	}
	return nameOf(e) + tokens + "  "
}

func nameOf(e *model.Entry) words {
	if e.Index < 0 {
		return "added " + words(e.Role.String())
	}
	return words(strconv.Itoa(int(e.Index))) + " " + words(e.Role.String())
}

func span(r *diffRow) words {
	if r.first < 0 || r.first == r.last {
		return ""
	}
	return ", " + words(strconv.Itoa(r.first)) + " to " + words(strconv.Itoa(r.last))
}

// Brackets of changed words on a screen without colours, as git has them.
var partMarks = [...][2]words{worddiff.Same: {"", ""}, worddiff.Deleted: {"[-", "-]"}, worddiff.Inserted: {"{+", "+}"}}

var partStyles = [...]style{worddiff.Same: plain, worddiff.Deleted: deleted, worddiff.Inserted: inserted}

// wrapParts breaks a line of parts into lines of at most width cells, at blanks where
// there are some.
func wrapParts(parts []part, width int, marks bool) [][]part {
	lines := [][]part{nil}
	left := width
	for _, p := range parts {
		s := p.text.String()
		room := 0
		if marks && p.kind != worddiff.Same {
			room = 4
		}
		for from := p.from; from < p.to; {
			n, w := text.Fit(s[from:p.to], left-room)
			if from+n < p.to { // it goes on in the next line: cut after a blank
				if cut := lastBlank(s[from : from+n]); cut > 0 {
					n = cut
					w = text.Width(s[from : from+n])
				} else if left < width {
					n, w = 0, 0
				} else if n == 0 {
					n, w = len(s[from:p.to]), width
				}
			}
			last := len(lines) - 1
			if n > 0 {
				lines[last] = append(lines[last], part{p.text, from, from + n, p.kind})
				from += n
				left -= w + room
			}
			if from < p.to {
				lines = append(lines, nil)
				left = width
			}
		}
	}
	return lines
}

// lastBlank is the end of the last blank of s, 0 for none.
func lastBlank(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == ' ' {
			return i + 1
		}
	}
	return 0
}
