package ui

import tea "github.com/charmbracelet/bubbletea"

// screen is a diff: a text whose lines know the message they are about.
func (v *diffView) screen(r *root) keyScreen {
	s := v.pager.screen(r)
	if s.typed == nil {
		s.tables = append([]keyTable{v.table(r)}, s.tables...)
	}
	return s
}

func (v *diffView) table(r *root) keyTable {
	call := func(n int) func() tea.Cmd { return func() tea.Cmd { return v.turn(r, n) } }
	rows := []action{
		{keys: []string{".", "J"}, hint: hint{". ,", "change"}, help: "the next change", run: do(func() { v.toChange(1) })},
		{keys: []string{",", "K"}, help: "the change before", run: do(func() { v.toChange(-1) })},
		{keys: []string{"d", "tab"}, hint: hint{"d", "other diff"}, help: "the other diff: full history against the view, this call against the next", disabled: v.noCalls, run: func() tea.Cmd { return r.openDiff((v.mode+1)%numDiffModes, v.call) }},
		{keys: []string{"["}, hint: hint{"[ ]", "call"}, help: "at the call before", disabled: func() words { return v.noCall(r, -1) }, run: call(-1)},
		{keys: []string{"]"}, help: "at the next call", disabled: func() words { return v.noCall(r, 1) }, run: call(1)},
		{keys: []string{"enter"}, hint: hint{"enter", "go there"}, help: "to the message of the change, or unfold it; before the first: close", run: func() tea.Cmd { return v.goThere(r) }},
		{keys: []string{"l", "right"}, help: "unfold a change that stands for many messages; space does too", disabled: v.noFold, run: func() tea.Cmd { return v.unfold(r) }},
		{keys: []string{"h", "left"}, help: "fold them again", disabled: v.noUnfolded, run: do(v.foldBack)},
		{keys: []string{"|"}, hint: hint{"|", "two columns"}, help: "in two columns side by side, or in one", disabled: r.noSides, run: do(func() { v.toggleSides(r) })},
		{keys: []string{"s"}, hint: hint{"s", "swap sides"}, help: "swap the two sides", disabled: v.noSwap, run: func() tea.Cmd { return v.swap(r) }},
	}
	if v.onFold() {
		rows = append(rows, action{keys: []string{" "}, hint: hint{"space", "unfold"}, help: "unfold it", run: func() tea.Cmd { return v.unfold(r) }})
	}
	return keyTable{"in a diff, d", rows}
}

// turn compares the call that is n further on: of two calls that are compared the one
// that the panes show turns, the other stays.
func (v *diffView) turn(r *root, n int) tea.Cmd {
	to := r.call + n
	switch {
	case v.mode != callAgainstCall:
		return tea.Batch(r.goCall(to), r.openDiff(v.mode, to))
	case v.other == r.call:
		return tea.Batch(r.goCall(to), r.diffCalls(v.mode, v.call, to))
	}
	return tea.Batch(r.goCall(to), r.diffCalls(v.mode, to, v.other))
}

// onFold reports whether a fold is stood on.
func (v *diffView) onFold() bool { return v.at >= 0 && v.foldAt() >= 0 }

func (v *diffView) noSwap() words {
	if v.mode == fullAgainstView {
		return "the history comes first here: it is what the view was made of"
	}
	return ""
}

// swap compares the same the other way round.
func (v *diffView) swap(r *root) tea.Cmd {
	if v.mode == runAgainstRun {
		v.run.first = !v.run.first
		return r.diffRun(v.run)
	}
	return r.diffCalls(callAgainstCall, v.other, v.call)
}

// noCalls says why there is no other diff here.
func (v *diffView) noCalls() words {
	if v.mode == runAgainstRun {
		return "two runs are compared here, no calls"
	}
	return ""
}

func (v *diffView) noCall(r *root, n int) words {
	t := r.threadNow()
	if why := v.noCalls(); why != "" || t == nil {
		return why
	}
	if to := r.call + n; to < 1 || to > len(t.Calls)+1 {
		return "there is no other call this way"
	}
	return ""
}

// goThere closes the diff and goes to the message of the change gone to last; a fold
// unfolds.
func (v *diffView) goThere(r *root) tea.Cmd {
	if v.onFold() {
		return v.unfold(r)
	}
	r.pop()
	if v.at >= 0 && v.targets[v.at] >= 0 {
		r.leaveSpot()
		r.toMessage(v.targets[v.at])
	}
	return nil
}
