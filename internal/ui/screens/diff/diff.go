// Package diff shows what differs between two lists of messages, inline and word by word: the
// history and a view, two calls, two runs.
//
// Rows are read and laid out in jobs, a page of a long stretch at a time. The package must
// never show a text as whole that it has cut.
package diff

import (
	"context"
	"sort"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/library/rundiff"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/pager"
	"agentlens/internal/ui/view"
)

// A Diff shows what differs between two lists of messages, inline and word by
// word. It is a pager whose lines know the message they belong to.
type Diff struct {
	*pager.Pager
	mode    Mode
	call    int
	other   int // the call that it is held against
	run     OtherRun
	Texts   []DiffText
	folds   []DiffRow // that unfold; number n is in place n-1
	read    readRows
	Left    int // rows that are not shown
	Summary kit.Words
	Marks   bool   // brackets stand for colours
	Sides   bool   // in two columns
	Laid    Spread // what the lines are laid out as; no width: they only say what rows are about
	splices int    // how often rows were put in the place of others
	Starts  []int
	exact   bool // token figures are counts
	At      int  // the change gone to last, -1 for none
	targets []int
	// Calls are the call that the panes show and the last there is.
	Calls func() (here, last int)
}

// NotComparable begins the sentence of why there is no diff.
const NotComparable = "these cannot be compared: "

// diff forms the views and compares them.
func Of(ctx context.Context, q view.Query, rd view.Reader, mode Mode, other int) (*Diff, error) {
	here, basis, exact, err := viewOf(ctx, q)
	if err != nil {
		return nil, err
	}
	a, b := givenOf(here), rundiff.Sent(here)
	title := "full history against what the provider saw · " + view.CallName(q.Thread, q.Call) + " · " + basis
	call := q.Call
	if mode != FullAgainstView {
		q.Call = other
		next, nextBasis, _, err := viewOf(ctx, q)
		if err != nil {
			return nil, err
		}
		a, b = b, rundiff.Sent(next)
		title = view.CallName(q.Thread, call) + " (" + basis + ") against " + view.CallName(q.Thread, other) + " (" + nextBasis + ")"
	}
	rows := RowsOf(a, b)
	v := &Diff{Pager: pager.New(title, nil), mode: mode, call: call, other: other, exact: exact, At: -1, Summary: diffSummary(rows, mode)}
	v.read = func(ctx context.Context, rows []DiffRow) ([]DiffText, int, error) {
		list, left := (diffReader{&rd, &rd}).texts(ctx, rows)
		return list, left, nil
	}
	return v, v.fill(ctx, rd.Sheet, stretches(rows))
}

// fill reads what the rows show, and lays it out.
func (v *Diff) fill(ctx context.Context, s kit.Sheet, rows []DiffRow) (err error) {
	for i := range rows {
		if v.mode != CallAgainstNext {
			rows[i].Broke = false
		}
	}
	if v.Texts, v.Left, err = v.read(ctx, rows); err != nil {
		return err
	}
	for i := range v.Texts {
		if t := &v.Texts[i]; t.Row.folded != nil {
			v.folds = append(v.folds, t.Row)
			t.of = len(v.folds)
		}
	}
	v.Sides, v.Marks = s.Sides, s.Marks
	kit.LayOut(v, s.W, s.H)
	return nil
}

// view forms the view of the call as the panes would show it, and says how it is known.
func viewOf(ctx context.Context, q view.Query) (v *model.View, basis kit.Words, exact bool, err error) {
	f := q.Form(ctx)
	if err := f.Fault(); err != nil {
		return nil, "", false, err
	}
	return f.Shown.View, view.BasisWords(f.Shown).Text, f.Shown.Exact && !f.Shown.View.Estimated, nil
}

func diffSummary(rows []DiffRow, mode Mode) kit.Words {
	var n [4]int
	for i := range rows {
		n[rows[i].Kind]++
	}
	gone := kit.Words("dropped")
	if mode != FullAgainstView {
		gone = "gone"
	}
	return kit.Int(n[SameRow]) + " the same · " + kit.Int(n[ChangedRow]) + " changed · " + kit.Int(n[GoneRow]) + " " + gone + " · " + kit.Int(n[NewRow]) + " new"
}

// toChange goes to the next change in direction d.
func (v *Diff) toChange(d int) {
	v.Failed = ""
	next := v.At + d
	if v.At < 0 && d > 0 {
		next = 0
	}
	if next < 0 || next >= len(v.Starts) {
		v.Failed = "no other change this way"
		return
	}
	v.Top = v.Starts[next]
	v.Scroll(-2)
	v.stand(next)
}

// stand marks a change as the one that enter goes to.
func (v *Diff) stand(i int) {
	v.At, v.Mark = i, v.Starts[i]
	v.Place = "change " + kit.Int(i+1) + " of " + kit.Int(len(v.Starts)) + " · "
}

func (v *Diff) Draw(th *kit.Theme, c *kit.Colours, w, h int) []string {
	v.Resize(w, h)
	return v.Pager.Draw(th, c, w, h)
}

// Click stands on the change under the mouse; a second click goes there.
func (v *Diff) Click(h kit.Host, at kit.Click) tea.Cmd {
	line := v.Top + at.Y - 1
	if at.Y < 1 || line >= len(v.Lines) {
		return nil
	}
	i := sort.SearchInts(v.Starts, line+1) - 1 // the change the line is of, or is below
	if i < 0 {
		return nil
	}
	if v.stand(i); at.Double {
		return v.goThere(h)
	}
	return nil
}

// Open opens a diff of a call with another; the mode says of what.
type Open struct {
	Mode        Mode
	Call, Other int
}

// OpenRun opens a diff with another run.
type OpenRun struct{ Run OtherRun }

// Sides remembers whether diffs are shown in two columns.
type Sides struct{ On bool }

func (Open) Intent() {}

func (OpenRun) Intent() {}

func (Sides) Intent() {}
