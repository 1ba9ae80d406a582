package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// This file is the table of the screen of a run; those of the other screens stand
// beside what they are about, and keytables.go lists them all.

// actionTable lists every action on a run, in the order of the help.
func (r *root) actionTable() []action {
	return slices.Concat(r.moveActions(), r.jumpActions(), r.callActions(), r.lookActions(), r.strategyActions(), r.foldActions(), r.paneActions(), r.programActions(), r.everywhere())
}

func (r *root) moveActions() []action {
	scroll := func(id string, keys []string, help words, f func()) action {
		return action{id: id, keys: keys, help: help, group: "move", run: do(f)}
	}
	return []action{
		scroll("down", []string{"j", "down"}, "one line down", func() { r.move(1) }),
		scroll("up", []string{"k", "up"}, "one line up", func() { r.move(-1) }),
		scroll("next-message", []string{"J", "shift+down"}, "next message", func() { r.moveItem(1) }),
		scroll("prev-message", []string{"K", "shift+up"}, "message before", func() { r.moveItem(-1) }),
		scroll("page-down", []string{"pgdown", "ctrl+f"}, "a page down", func() { r.page(1, 1) }),
		scroll("page-up", []string{"pgup", "ctrl+b"}, "a page up", func() { r.page(-1, 1) }),
		scroll("half-down", []string{"ctrl+d"}, "half a page down", func() { r.page(1, 2) }),
		scroll("half-up", []string{"ctrl+u"}, "half a page up", func() { r.page(-1, 2) }),
		{id: "top", keys: []string{"g", "home"}, help: "to the top; g and a number: to that call", group: "move", jump: true, run: do(r.toTop)},
		{id: "bottom", keys: []string{"G", "end"}, help: "to the end", group: "move", jump: true, run: do(func() { r.end(1) })},
	}
}

// jumpActions go to the next and the previous row of every kind of landmark.
func (r *root) jumpActions() []action {
	list := []action{
		{id: "first-error", keys: []string{"E"}, help: "the first failed tool call or recorded error", group: "jumps", jump: true, disabled: r.noView, run: do(func() { r.toFirst(landmarkNamed("error")) })},
	}
	kinds := landmarks()
	for i := range kinds {
		k := &kinds[i]
		list = append(list,
			action{id: "next-" + string(k.name), keys: k.keys[:1], help: "next " + k.help, hint: hint{words(k.keys[0]), k.name}, group: "jumps", jump: true, disabled: r.noView, run: do(func() { r.toLandmark(k, 1) })},
			action{id: "prev-" + string(k.name), keys: k.keys[1:], help: "previous " + k.help, group: "jumps", jump: true, disabled: r.noView, run: do(func() { r.toLandmark(k, -1) })})
	}
	return append(list,
		action{id: "result", keys: []string{"r"}, help: "from a call to its result, and back", group: "jumps", jump: true, disabled: r.noView, run: do(r.toResult)},
		action{id: "mark", keys: []string{"m"}, help: "and a letter: mark this place", group: "jumps", disabled: r.noView, run: do(r.setMark)},
		action{id: "go-mark", keys: []string{"'"}, help: "and a letter: to the place marked with it", group: "jumps", disabled: r.noMark, run: do(r.toMark)},
		action{id: "back", keys: []string{"ctrl+o", "backspace"}, help: "back to where you were before a jump", group: "jumps", disabled: r.noView, run: func() tea.Cmd { return r.walk(-1) }},
		action{id: "forward", keys: []string{"ctrl+n"}, help: "forward again (ctrl-i is tab to a terminal)", group: "jumps", disabled: r.noView, run: func() tea.Cmd { return r.walk(1) }},
	)
}

func (r *root) callActions() []action {
	return []action{
		{id: "prev-call", keys: []string{"["}, help: "the provider call before", group: "calls", disabled: r.noThread, run: func() tea.Cmd { return r.goCall(r.call - 1) }},
		{id: "next-call", keys: []string{"]"}, help: "the next provider call", hint: hint{"[ ]", "call"}, group: "calls", disabled: r.noThread, run: func() tea.Cmd { return r.goCall(r.call + 1) }},
		{id: "first-call", keys: []string{"{"}, help: "the first provider call", group: "calls", jump: true, disabled: r.noThread, run: func() tea.Cmd { return r.goCall(1) }},
		{id: "last-call", keys: []string{"}"}, help: "the call after the whole record", group: "calls", jump: true, disabled: r.noThread, run: func() tea.Cmd { return r.goCall(1 << 30) }},
		{id: "horizon", keys: []string{"c"}, help: "to where the call was sent", group: "calls", jump: true, disabled: r.noView, run: do(func() { r.msgs.toHorizon() })},
		{id: "next-break", keys: []string{"b"}, help: "the next call whose prefix breaks: it does not begin as the one before", group: "calls", jump: true, disabled: r.noView, run: func() tea.Cmd { return r.toBreak(1) }},
		{id: "prev-break", keys: []string{"B"}, help: "the previous call whose prefix breaks", group: "calls", jump: true, disabled: r.noView, run: func() tea.Cmd { return r.toBreak(-1) }},
		{id: "half-window", keys: []string{"%"}, help: "the first call whose context passes half the window", group: "calls", jump: true, disabled: r.noView, run: r.toHalf},
		{id: "timeline", keys: []string{"T"}, help: "walk the timeline of all calls; again hides it", hint: hint{"T", "timeline"}, group: "calls", disabled: r.noView, run: do(r.toggleStrip)},
	}
}

func (r *root) lookActions() []action {
	return []action{
		{id: "search", keys: []string{"/"}, help: "search all texts of the thread", hint: hint{"/", "search"}, group: "look", disabled: r.noView, run: do(r.askSearch)},
		{id: "next-hit", keys: []string{"n"}, help: "next place found", hint: searchHint, group: "look", disabled: r.noSearch, run: do(func() { r.jump(1) })},
		{id: "prev-hit", keys: []string{"N"}, help: "place found before", group: "look", disabled: r.noSearch, run: do(func() { r.jump(-1) })},
		{id: "open", keys: []string{"enter"}, help: "open: text, record, request, facts, fate; in the threads: select", group: "look", run: r.openSelected},
		{id: "info", keys: []string{"i"}, help: "how the view is known, and what became of the message", hint: hint{"i", "why"}, group: "look", disabled: r.noView, run: r.openInfo},
		{id: "diff", keys: []string{"d"}, help: "what differs: history against view; again: this call against the next", hint: hint{"d", "diff"}, group: "look", disabled: r.noView, run: func() tea.Cmd { return r.openDiff(diffIntent{fullAgainstView, r.call, r.call + 1}) }},
		{id: "documents", keys: []string{"D"}, help: "the documents of the run, as trees or text", group: "look", disabled: r.noDocuments, run: do(r.chooseDocument)},
		{id: "yank", keys: []string{"y"}, help: "copy the message, masked, to the clipboard of the terminal", group: "look", disabled: r.noView, run: r.yankMessage},
		{id: "yank-to-file", keys: []string{"w"}, help: "write what was copied last to a file", group: "look", disabled: r.noYanked, run: r.saveYanked},
	}
}

func (r *root) strategyActions() []action {
	return []action{
		{id: "strategy", keys: []string{"s"}, help: "try a strategy: type the chain", hint: hint{"s", "strategy"}, group: "strategy", disabled: r.noView, run: do(r.editChain)},
		{id: "stages", keys: []string{"S"}, help: "the chain as a list of stages, to turn their parameters", group: "strategy", disabled: r.noView, run: do(r.editStages)},
		{id: "preset", keys: []string{"@"}, help: "take a named chain", group: "strategy", disabled: r.noView, run: do(r.choosePreset)},
		{id: "compare", keys: []string{"C"}, help: "the chains tried, the record and the named ones side by side: tokens, cost, loss", hint: hint{"C", "compare"}, group: "strategy", disabled: r.noCompare, run: r.openCompare},
		{id: "prev-chain", keys: []string{"("}, help: "the chain tried before this one", group: "strategy", disabled: r.noTried(-1), run: r.stepTried(-1)},
		{id: "next-chain", keys: []string{")"}, help: "the chain tried after this one", group: "strategy", disabled: r.noTried(1), run: r.stepTried(1)},
		{id: "recorded", keys: []string{"v"}, help: "recorded against simulated: set the chain aside, and back", group: "strategy", disabled: r.noChain, run: r.toggleRecorded},
		{id: "yank-chain", keys: []string{"Y"}, help: "copy the chain, as it is or as another program's setting", group: "strategy", disabled: r.noChain, run: do(r.chooseSetting)},
		{id: "keep-chain", keys: []string{"W"}, help: "keep the chain in your settings, under a name of your own", group: "strategy", disabled: r.noKeep, run: do(r.askKeep)},
	}
}

func (r *root) foldActions() []action {
	return []action{
		{id: "fold", keys: []string{" "}, help: "fold or unfold; in a text it is a page down", hint: hint{"space", "fold"}, group: "fold", run: do(func() { r.fold(0) })},
		{id: "unfold", keys: []string{"l", "right"}, help: "unfold", group: "fold", run: do(func() { r.fold(1) })},
		{id: "close", keys: []string{"h", "left"}, help: "fold", group: "fold", run: do(func() { r.fold(-1) })},
		{id: "unfold-all", keys: []string{"+", "="}, help: "unfold all messages", group: "fold", disabled: r.noView, run: do(func() { r.msgs.foldAll(true) })},
		{id: "fold-all", keys: []string{"-"}, help: "fold all messages", group: "fold", disabled: r.noView, run: do(func() { r.msgs.foldAll(false) })},
	}
}

func (r *root) paneActions() []action {
	return []action{
		{id: "next-pane", keys: []string{"tab"}, help: "next pane", hint: hint{"tab", "pane"}, group: "panes", run: do(func() { r.turn(1) })},
		{id: "prev-pane", keys: []string{"shift+tab"}, help: "pane before", group: "panes", run: do(func() { r.turn(-1) })},
		{id: "pane-1", keys: []string{"1"}, help: "threads", group: "panes", run: do(func() { r.toPane(threadsPane) })},
		{id: "pane-2", keys: []string{"2"}, help: "full history", group: "panes", run: do(func() { r.toPane(historyPane) })},
		{id: "pane-3", keys: []string{"3"}, help: "what the provider saw", group: "panes", run: do(func() { r.toPane(sentPane) })},
		{id: "zoom", keys: []string{"z"}, help: "the focused pane alone, and back", hint: hint{"z", "zoom"}, group: "panes", run: do(r.toggleZoom)},
		{id: "threads", keys: []string{"t"}, help: "show or hide the threads", group: "panes", run: do(r.toggleThreads)},
	}
}

func (r *root) programActions() []action {
	return []action{
		{id: "palette", keys: []string{":"}, help: "find any command by a few letters", hint: hint{":", "command"}, group: "program", run: do(r.openPalette)},
		{id: "reveal", keys: []string{"R"}, help: "reveal secrets, on this screen only; again to mask them", group: "program", disabled: r.noView, run: do(r.toggleReveal)},
		{id: "export", keys: []string{"e"}, help: "export the run, or what this call was sent, without secrets", hint: hint{"e", "export"}, group: "program", disabled: r.noExport, run: do(r.askExport)},
		{id: "step-back", keys: []string{"esc"}, help: "one step back: from a search, a pane alone, to the list of runs", hint: stepBackHint, group: "program", disabled: r.noStepBack, run: r.stepBack},
		{id: "quit", keys: []string{"q"}, help: "leave the run: to the list it was chosen from, or out of lens", hint: hint{"q", "quit"}, group: "program", run: func() tea.Cmd { return tea.Quit }},
	}
}
