package ui

import tea "github.com/charmbracelet/bubbletea"

// screen is a diff: a text whose lines know the message they are about.
func (v *diffView) keyTables(h host) keyScreen {
	s := v.pager.keyTables(h)
	if s.typed == nil {
		s.tables = append([]keyTable{v.table(h)}, s.tables...)
	}
	return s
}

func (v *diffView) table(h host) keyTable {
	call := func(n int) func() tea.Cmd { return func() tea.Cmd { return v.turn(h, n) } }
	rows := []action{
		{keys: []string{".", "J"}, hint: hint{". ,", "change"}, help: "the next change", run: do(func() { v.toChange(1) })},
		{keys: []string{",", "K"}, help: "the change before", run: do(func() { v.toChange(-1) })},
		{keys: []string{"d", "tab"}, hint: hint{"d", "other diff"}, help: "the other diff: full history against the view, this call against the next", disabled: v.noCalls, run: func() tea.Cmd { return h.ask(diffIntent{(v.mode + 1) % numDiffModes, v.call, v.call + 1}) }},
		{keys: []string{"["}, hint: hint{"[ ]", "call"}, help: "at the call before", disabled: func() words { return v.noCall(-1) }, run: call(-1)},
		{keys: []string{"]"}, help: "at the next call", disabled: func() words { return v.noCall(1) }, run: call(1)},
		{keys: []string{"enter"}, hint: hint{"enter", "go there"}, help: "to the message of the change, or unfold it; before the first: close", run: func() tea.Cmd { return v.goThere(h) }},
		{keys: []string{"l", "right"}, help: "unfold a change that stands for many messages; space does too", disabled: v.noFold, run: func() tea.Cmd { return v.unfold(h) }},
		{keys: []string{"h", "left"}, help: "fold them again", disabled: v.noUnfolded, run: do(v.foldBack)},
		{keys: []string{"|"}, hint: hint{"|", "two columns"}, help: "in two columns side by side, or in one", disabled: v.noSides, run: func() tea.Cmd { return v.toggleSides(h) }},
		{keys: []string{"s"}, hint: hint{"s", "swap sides"}, help: "swap the two sides", disabled: v.noSwap, run: func() tea.Cmd { return v.swap(h) }},
	}
	if v.onFold() {
		rows = append(rows, action{keys: []string{" "}, hint: hint{"space", "unfold"}, help: "unfold it", run: func() tea.Cmd { return v.unfold(h) }})
	}
	return keyTable{"in a diff, d", rows}
}

// turn compares the call that is n further on: of two calls that are compared the one
// that the panes show turns, the other stays.
func (v *diffView) turn(h host, n int) tea.Cmd {
	here, _ := v.calls()
	to := here + n
	diff := diffIntent{v.mode, to, to + 1}
	switch {
	case v.mode != callAgainstCall:
	case v.other == here:
		diff.call, diff.other = v.call, to
	default:
		diff.other = v.other
	}
	return tea.Batch(h.ask(callIntent{to}), h.ask(diff))
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
func (v *diffView) swap(h host) tea.Cmd {
	if v.mode == runAgainstRun {
		v.run.first = !v.run.first
		return h.ask(diffRunIntent{v.run})
	}
	return h.ask(diffIntent{callAgainstCall, v.other, v.call})
}

// noCalls says why there is no other diff here.
func (v *diffView) noCalls() words {
	if v.mode == runAgainstRun {
		return "two runs are compared here, no calls"
	}
	return ""
}

func (v *diffView) noCall(n int) words {
	if why := v.noCalls(); why != "" || v.calls == nil {
		return why
	}
	here, last := v.calls()
	if to := here + n; to < 1 || to > last {
		return "there is no other call this way"
	}
	return ""
}

// goThere closes the diff and goes to the message of the change gone to last; a fold
// unfolds.
func (v *diffView) goThere(h host) tea.Cmd {
	if v.onFold() {
		return v.unfold(h)
	}
	return closeThen(h, func() tea.Cmd {
		if v.at >= 0 && v.targets[v.at] >= 0 {
			return h.ask(messageIntent{v.targets[v.at]})
		}
		return nil
	})
}
