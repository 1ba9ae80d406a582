package diff

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
)

// This file unfolds the long stretches of a diff, a page at a time, and folds them again.

// DiffPage is how many messages of a stretch are unfolded at once.
const DiffPage = 200

// readRows reads what rows show; left is how many of them are not read, since there are
// too many. It is for commands.
type readRows func(ctx context.Context, rows []DiffRow) (list []DiffText, left int, err error)

// foldAt is the text of the fold that is stood on, else of the first one on the screen
// while no change is stood on; -1 for none.
func (v *Diff) foldAt() int {
	change := -1
	for i := range v.Texts {
		if v.Texts[i].Row.Kind == SameRow {
			continue
		}
		change++
		here := change == v.At || v.At < 0 && v.Starts[change] >= v.Top && v.Starts[change] < v.Top+v.Rows
		if here && v.Texts[i].Row.folded != nil {
			return i
		}
	}
	return -1
}

func (v *Diff) noFold() kit.Words {
	if v.foldAt() < 0 {
		return "this change has nothing to unfold: . goes on to one that says how many more there are"
	}
	return ""
}

// Unfold reads the next page of the fold.
func (v *Diff) Unfold(h kit.Host) tea.Cmd {
	folded := v.Texts[v.foldAt()].Row.folded
	read := v.read
	h.Say("reading…")
	return h.Start(job.Key{Kind: "unfold", Of: v}, func(ctx context.Context) func() tea.Cmd {
		texts, _, err := read(ctx, folded[:min(DiffPage, len(folded))])
		return func() tea.Cmd {
			h.Say("")
			if err != nil {
				h.Fail("these cannot be read: ", err)
				return nil
			}
			v.takePage(&folded[0], texts)
			return nil
		}
	})
}

// takePage puts the messages in the place of their fold, and what is left of that after
// them. fold is the first of the rows that were folded.
func (v *Diff) takePage(fold *DiffRow, texts []DiffText) {
	i := slices.IndexFunc(v.Texts, func(t DiffText) bool { return t.Row.folded != nil && &t.Row.folded[0] == fold })
	if i < 0 || len(texts) == 0 {
		return
	}
	t := v.Texts[i]
	for k := range texts {
		texts[k].of = t.of
	}
	if rest := t.Row.folded[len(texts):]; len(rest) > 0 {
		texts = append(texts, DiffText{Row: foldRows(rest), of: t.of})
	}
	v.splice(i, i+1, texts)
}

// unfoldedAt is the fold that the change stood on came out of, 0 for none.
func (v *Diff) unfoldedAt() int {
	change := -1
	for i := range v.Texts {
		if t := &v.Texts[i]; t.Row.Kind != SameRow {
			if change++; change == v.At && len(t.Row.folded) < len(v.foldOf(t.of)) {
				return t.of
			}
		}
	}
	return 0
}

func (v *Diff) foldOf(n int) []DiffRow {
	if n == 0 {
		return nil
	}
	return v.folds[n-1].folded
}

func (v *Diff) noUnfolded() kit.Words {
	if v.unfoldedAt() == 0 {
		return "this change was not unfolded"
	}
	return ""
}

// foldBack folds what was unfolded around the change stood on.
func (v *Diff) foldBack() {
	n := v.unfoldedAt()
	of := func(t DiffText) bool { return t.of == n }
	from := slices.IndexFunc(v.Texts, of)
	to := from
	for to < len(v.Texts) && of(v.Texts[to]) {
		to++
	}
	v.splice(from, to, []DiffText{{Row: v.folds[n-1], of: n}})
}
