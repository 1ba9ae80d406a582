package ui

import (
	"context"
	"slices"

	"agentlens/internal/ui/job"

	tea "github.com/charmbracelet/bubbletea"
)

// This file unfolds the long stretches of a diff, a page at a time, and folds them again.

// diffPage is how many messages of a stretch are unfolded at once.
const diffPage = 200

// readRows reads what rows show; left is how many of them are not read, since there are
// too many. It is for commands.
type readRows func(ctx context.Context, rows []diffRow) (list []diffText, left int, err error)

// foldAt is the text of the fold that is stood on, else of the first one on the screen
// while no change is stood on; -1 for none.
func (v *diffView) foldAt() int {
	change := -1
	for i := range v.texts {
		if v.texts[i].row.kind == sameRow {
			continue
		}
		change++
		here := change == v.at || v.at < 0 && v.starts[change] >= v.top && v.starts[change] < v.top+v.rows
		if here && v.texts[i].row.folded != nil {
			return i
		}
	}
	return -1
}

func (v *diffView) noFold() words {
	if v.foldAt() < 0 {
		return "this change has nothing to unfold: . goes on to one that says how many more there are"
	}
	return ""
}

// unfold reads the next page of the fold.
func (v *diffView) unfold(h host) tea.Cmd {
	folded := v.texts[v.foldAt()].row.folded
	read := v.read
	h.say("reading…")
	return h.start(job.Key{Kind: "unfold", Of: v}, func(ctx context.Context) func() tea.Cmd {
		texts, _, err := read(ctx, folded[:min(diffPage, len(folded))])
		return func() tea.Cmd {
			h.say("")
			if err != nil {
				h.fail("these cannot be read: ", err)
				return nil
			}
			v.takePage(&folded[0], texts)
			return nil
		}
	})
}

// takePage puts the messages in the place of their fold, and what is left of that after
// them. fold is the first of the rows that were folded.
func (v *diffView) takePage(fold *diffRow, texts []diffText) {
	i := slices.IndexFunc(v.texts, func(t diffText) bool { return t.row.folded != nil && &t.row.folded[0] == fold })
	if i < 0 || len(texts) == 0 {
		return
	}
	t := v.texts[i]
	for k := range texts {
		texts[k].of = t.of
	}
	if rest := t.row.folded[len(texts):]; len(rest) > 0 {
		texts = append(texts, diffText{row: foldRows(rest), of: t.of})
	}
	v.splice(i, i+1, texts)
}

// unfoldedAt is the fold that the change stood on came out of, 0 for none.
func (v *diffView) unfoldedAt() int {
	change := -1
	for i := range v.texts {
		if t := &v.texts[i]; t.row.kind != sameRow {
			if change++; change == v.at && len(t.row.folded) < len(v.foldOf(t.of)) {
				return t.of
			}
		}
	}
	return 0
}

func (v *diffView) foldOf(n int) []diffRow {
	if n == 0 {
		return nil
	}
	return v.folds[n-1].folded
}

func (v *diffView) noUnfolded() words {
	if v.unfoldedAt() == 0 {
		return "this change was not unfolded"
	}
	return ""
}

// foldBack folds what was unfolded around the change stood on.
func (v *diffView) foldBack() {
	n := v.unfoldedAt()
	of := func(t diffText) bool { return t.of == n }
	from := slices.IndexFunc(v.texts, of)
	to := from
	for to < len(v.texts) && of(v.texts[to]) {
		to++
	}
	v.splice(from, to, []diffText{{row: v.folds[n-1], of: n}})
}
