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
	call := func(n int) func() tea.Cmd {
		return func() tea.Cmd { return tea.Batch(r.goCall(v.call+n), r.openDiff(v.mode, v.call+n)) }
	}
	return keyTable{"in a diff, d", []action{
		{keys: []string{".", "J"}, hint: hint{". ,", "change"}, help: "the next change", run: do(func() { v.toChange(1) })},
		{keys: []string{",", "K"}, help: "the change before", run: do(func() { v.toChange(-1) })},
		{keys: []string{"d", "tab"}, hint: hint{"d", "other diff"}, help: "the other diff: full history against the view, this call against the next", disabled: v.noCalls, run: func() tea.Cmd { return r.openDiff((v.mode+1)%numDiffModes, v.call) }},
		{keys: []string{"["}, hint: hint{"[ ]", "call"}, help: "at the call before", disabled: func() words { return v.noCall(r, -1) }, run: call(-1)},
		{keys: []string{"]"}, help: "at the next call", disabled: func() words { return v.noCall(r, 1) }, run: call(1)},
		{keys: []string{"enter"}, hint: hint{"enter", "go there"}, help: "to the message of the change; before the first: close", run: func() tea.Cmd { return v.goThere(r) }},
	}}
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
	if to := v.call + n; to < 1 || to > len(t.Calls)+1 {
		return "there is no other call this way"
	}
	return ""
}

// goThere closes the diff and goes to the message of the change gone to last.
func (v *diffView) goThere(r *root) tea.Cmd {
	r.pop()
	if v.at >= 0 && v.targets[v.at] >= 0 {
		r.leaveSpot()
		r.toMessage(v.targets[v.at])
	}
	return nil
}
