package ui

import (
	"context"
	"sort"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/export/rundiff"
	"agentlens/internal/model"
)

// A diffView shows what differs between two lists of messages, inline and word by
// word. It is a pager whose lines know the message they belong to.
type diffView struct {
	*pager
	mode    diffMode
	call    int
	other   int // the call that it is held against
	run     otherRun
	texts   []diffText
	folds   []diffRow // that unfold; number n is in place n-1
	read    readRows
	left    int // rows that are not shown
	summary words
	marks   bool   // brackets stand for colours
	sides   bool   // in two columns
	laid    spread // what the lines are laid out as; no width: they only say what rows are about
	splices int    // how often rows were put in the place of others
	starts  []int
	exact   bool // token figures are counts
	at      int  // the change gone to last, -1 for none
	targets []int
	// calls are the call that the panes show and the last there is.
	calls func() (here, last int)
}

// notComparable begins the sentence of why there is no diff.
const notComparable = "these cannot be compared: "

// diff forms the views and compares them.
func diffOf(ctx context.Context, q query, rd reader, mode diffMode, other int) (*diffView, error) {
	here, basis, exact, err := viewOf(ctx, q)
	if err != nil {
		return nil, err
	}
	a, b := givenOf(here), rundiff.Sent(here)
	title := "full history against what the provider saw · " + callName(q.thread, q.call) + " · " + basis
	call := q.call
	if mode != fullAgainstView {
		q.call = other
		next, nextBasis, _, err := viewOf(ctx, q)
		if err != nil {
			return nil, err
		}
		a, b = b, rundiff.Sent(next)
		title = callName(q.thread, call) + " (" + basis + ") against " + callName(q.thread, other) + " (" + nextBasis + ")"
	}
	rows := rowsOf(a, b)
	v := &diffView{pager: newPager(title, nil), mode: mode, call: call, other: other, exact: exact, at: -1, summary: diffSummary(rows, mode)}
	v.read = func(ctx context.Context, rows []diffRow) ([]diffText, int, error) {
		list, left := (diffReader{&rd, &rd}).texts(ctx, rows)
		return list, left, nil
	}
	return v, v.fill(ctx, rd.sheet, stretches(rows))
}

// fill reads what the rows show, and lays it out.
func (v *diffView) fill(ctx context.Context, s sheet, rows []diffRow) (err error) {
	for i := range rows {
		if v.mode != callAgainstNext {
			rows[i].broke = false
		}
	}
	if v.texts, v.left, err = v.read(ctx, rows); err != nil {
		return err
	}
	for i := range v.texts {
		if t := &v.texts[i]; t.row.folded != nil {
			v.folds = append(v.folds, t.row)
			t.of = len(v.folds)
		}
	}
	v.sides, v.marks = s.sides, s.marks
	layOut(v, s.w, s.h)
	return nil
}

// view forms the view of the call as the panes would show it, and says how it is known.
func viewOf(ctx context.Context, q query) (v *model.View, basis words, exact bool, err error) {
	f := q.form(ctx)
	if err := f.fault(); err != nil {
		return nil, "", false, err
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

func (v *diffView) render(th *theme, c *colours, w, h int) []string {
	v.resize(w, h)
	return v.pager.render(th, c, w, h)
}

// click stands on the change under the mouse; a second click goes there.
func (v *diffView) click(h host, at click) tea.Cmd {
	line := v.top + at.y - 1
	if at.y < 1 || line >= len(v.lines) {
		return nil
	}
	i := sort.SearchInts(v.starts, line+1) - 1 // the change the line is of, or is below
	if i < 0 {
		return nil
	}
	if v.stand(i); at.double {
		return v.goThere(h)
	}
	return nil
}

// diffIntent opens a diff of a call with another; the mode says of what.
type diffIntent struct {
	mode        diffMode
	call, other int
}

// diffRunIntent opens a diff with another run.
type diffRunIntent struct{ run otherRun }

// sidesIntent remembers whether diffs are shown in two columns.
type sidesIntent struct{ on bool }

func (diffIntent) intent() {}

func (diffRunIntent) intent() {}

func (sidesIntent) intent() {}
