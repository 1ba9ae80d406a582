package ui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/export/rundiff"
	"agentlens/internal/model"
)

// This file holds the thread that is shown against that of another run.

func (r *root) noOtherRun() words {
	if r.cfg.Open == nil {
		return "no other run can be opened here"
	}
	return r.noView()
}

// typedDiff opens another run and compares, in a command.
func (r *root) typedDiff(name string) tea.Cmd {
	t := r.msgs.shown.thread
	a, open, ctx, marks := r.readerOf(t), r.cfg.Open, r.ctx, !r.th.coloured
	tokens := r.msgs.shown.tokens
	r.note = "reading…"
	return safely(func() tea.Msg {
		v, err := diffRuns(ctx, a, tokens, name, open)
		if v != nil {
			v.marks = marks
		}
		return diffMsg{v, err}
	})
}

// diffRuns compares the thread that a reads with the thread of the same id in the run
// of that name, else its main one.
func diffRuns(ctx context.Context, a reader, tokens []int32, name string, open func(context.Context, string) (*model.Run, func(), error)) (*diffView, error) {
	run, done, err := open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer done()
	other := sameThread(run, a.thread)
	if other == nil {
		return nil, fmt.Errorf("%s holds no conversation", name)
	}
	b := a
	b.run, b.thread = run, other
	list, err := rundiff.Diff(ctx, rundiff.Side{Run: a.run, Thread: a.thread}, rundiff.Side{Run: run, Thread: other})
	if err != nil {
		return nil, err
	}
	guess := curate.Guess(other).Tokens
	rows := make([]diffRow, 0, len(list))
	kinds := [...]rowKind{rundiff.Same: sameRow, rundiff.Changed: changedRow, rundiff.Gone: goneRow, rundiff.New: newRow}
	for _, l := range list {
		row := rowOf(kinds[l.Kind], entryOf(a.thread, tokens, l.A), entryOf(other, guess, l.B))
		row.first, row.last = l.A, l.A // -1: there is no such message to go to in this run
		rows = append(rows, row)
	}
	v := &diffView{pager: newPager("this run against ", nil), mode: runAgainstRun, at: -1, summary: diffSummary(rows, runAgainstRun)}
	v.name = a.line(run.ID + ", thread " + other.ID)
	v.texts, v.left = (diffReader{&a, &b}).texts(ctx, runRows(rows))
	for i := range v.texts {
		v.texts[i].row.broke = false
	}
	v.lay = v.layOut
	return v, nil
}

// entryOf is message i of a thread as an entry, nil for -1.
func entryOf(t *model.Thread, tokens []int32, i int) *model.Entry {
	if i < 0 {
		return nil
	}
	return &model.Entry{Index: int32(i), Role: t.At(i).Role, Tokens: tokens[i], WasTokens: tokens[i]}
}

// sameThread is the thread of a run with the id of t, else the main one; nil where the
// run has none.
func sameThread(run *model.Run, t *model.Thread) *model.Thread {
	for _, other := range run.Threads {
		if other.ID == t.ID {
			return other
		}
	}
	if len(run.Threads) == 0 {
		return nil
	}
	return run.MainThread()
}
