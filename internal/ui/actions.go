package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// An action is one thing a person can do. The table of actions routes keys and
// draws the hints at the bottom and the help.
type action struct {
	id    string
	keys  []string // as Bubble Tea names them
	label words    // how the keys are written for a person
	help  words
	hint  words // short, at the bottom of the screen; "" for not there
	group words
	jump  bool // where the person was is remembered, to go back to
	// disabled says why the action is of no use now; nil or "" where it is.
	disabled func(*root) words
	run      func(*root) tea.Cmd
}

// do makes an action of a step that needs no command.
func do(f func(r *root)) func(*root) tea.Cmd {
	return func(r *root) tea.Cmd { f(r); return nil }
}

// actionTable lists every action, in the order of the help.
func actionTable() []action {
	return slices.Concat(moveActions(), jumpActions(), callActions(), lookActions(), strategyActions(), foldActions(), paneActions(), programActions())
}

func moveActions() []action {
	scroll := func(id string, keys []string, label, help words, f func(r *root)) action {
		return action{id: id, keys: keys, label: label, help: help, group: "move", run: do(f)}
	}
	return []action{
		scroll("down", []string{"j", "down"}, "j ↓", "one line down", func(r *root) { r.move(1) }),
		scroll("up", []string{"k", "up"}, "k ↑", "one line up", func(r *root) { r.move(-1) }),
		scroll("next-message", []string{"J", "shift+down"}, "J", "next message", func(r *root) { r.moveItem(1) }),
		scroll("prev-message", []string{"K", "shift+up"}, "K", "message before", func(r *root) { r.moveItem(-1) }),
		scroll("page-down", []string{"pgdown", "ctrl+f"}, "PgDn", "a page down", func(r *root) { r.page(1, 1) }),
		scroll("page-up", []string{"pgup", "ctrl+b"}, "PgUp", "a page up", func(r *root) { r.page(-1, 1) }),
		scroll("half-down", []string{"ctrl+d"}, "ctrl-d", "half a page down", func(r *root) { r.page(1, 2) }),
		scroll("half-up", []string{"ctrl+u"}, "ctrl-u", "half a page up", func(r *root) { r.page(-1, 2) }),
		{id: "top", keys: []string{"g", "home"}, label: "g", help: "to the top; g and a number: to that call", group: "move", jump: true, run: do((*root).toTop)},
		{id: "bottom", keys: []string{"G", "end"}, label: "G", help: "to the end", group: "move", jump: true, run: do(func(r *root) { r.end(1) })},
	}
}

// jumpActions go to the next and the previous row of every kind of landmark.
func jumpActions() []action {
	list := []action{
		{id: "first-error", keys: []string{"E"}, label: "E", help: "the first failed tool call or recorded error", group: "jumps", jump: true, disabled: (*root).noView, run: do(func(r *root) { r.toFirst(landmarkNamed("error")) })},
	}
	kinds := landmarks()
	for i := range kinds {
		k := &kinds[i]
		list = append(list,
			action{id: "next-" + string(k.name), keys: k.keys[:1], label: words(k.keys[0]), help: "next " + k.help, hint: words(k.keys[0]) + " " + k.name, group: "jumps", jump: true, disabled: (*root).noView, run: do(func(r *root) { r.toLandmark(k, 1) })},
			action{id: "prev-" + string(k.name), keys: k.keys[1:], label: words(k.keys[1]), help: "previous " + k.help, group: "jumps", jump: true, disabled: (*root).noView, run: do(func(r *root) { r.toLandmark(k, -1) })})
	}
	return append(list,
		action{id: "result", keys: []string{"r"}, label: "r", help: "from a call to its result, and back", group: "jumps", jump: true, disabled: (*root).noView, run: do((*root).toResult)},
		action{id: "mark", keys: []string{"m"}, label: "m", help: "and a letter: mark this place", group: "jumps", disabled: (*root).noView, run: do((*root).setMark)},
		action{id: "go-mark", keys: []string{"'"}, label: "'", help: "and a letter: to the place marked with it", group: "jumps", disabled: (*root).noView, run: do((*root).toMark)},
		action{id: "back", keys: []string{"ctrl+o", "backspace"}, label: "ctrl-o", help: "back to where you were before a jump", group: "jumps", disabled: (*root).noView, run: func(r *root) tea.Cmd { return r.walk(-1) }},
		action{id: "forward", keys: []string{"ctrl+n"}, label: "ctrl-n", help: "forward again (ctrl-i is tab to a terminal)", group: "jumps", disabled: (*root).noView, run: func(r *root) tea.Cmd { return r.walk(1) }},
	)
}

func callActions() []action {
	return []action{
		{id: "prev-call", keys: []string{"["}, label: "[", help: "the provider call before", group: "calls", disabled: (*root).noThread, run: func(r *root) tea.Cmd { return r.goCall(r.call - 1) }},
		{id: "next-call", keys: []string{"]"}, label: "]", help: "the next provider call", hint: "[ ] call", group: "calls", disabled: (*root).noThread, run: func(r *root) tea.Cmd { return r.goCall(r.call + 1) }},
		{id: "first-call", keys: []string{"{"}, label: "{", help: "the first provider call", group: "calls", jump: true, disabled: (*root).noThread, run: func(r *root) tea.Cmd { return r.goCall(1) }},
		{id: "last-call", keys: []string{"}"}, label: "}", help: "the call after the whole record", group: "calls", jump: true, disabled: (*root).noThread, run: func(r *root) tea.Cmd { return r.goCall(1 << 30) }},
		{id: "horizon", keys: []string{"c"}, label: "c", help: "to where the call was sent", group: "calls", jump: true, disabled: (*root).noView, run: do(func(r *root) { r.msgs.toHorizon() })},
		{id: "next-break", keys: []string{"b"}, label: "b", help: "the next call whose prefix breaks: it does not begin as the one before", group: "calls", jump: true, disabled: (*root).noView, run: func(r *root) tea.Cmd { return r.toBreak(1) }},
		{id: "prev-break", keys: []string{"B"}, label: "B", help: "the previous call whose prefix breaks", group: "calls", jump: true, disabled: (*root).noView, run: func(r *root) tea.Cmd { return r.toBreak(-1) }},
		{id: "half-window", keys: []string{"%"}, label: "%", help: "the first call whose context passes half the window", group: "calls", jump: true, disabled: (*root).noView, run: (*root).toHalf},
		{id: "timeline", keys: []string{"T"}, label: "T", help: "walk the timeline of all calls; again hides it", hint: "T timeline", group: "calls", disabled: (*root).noView, run: do((*root).toggleStrip)},
	}
}

func lookActions() []action {
	return []action{
		{id: "search", keys: []string{"/"}, label: "/", help: "search all texts of the thread", hint: "/ search", group: "look", disabled: (*root).noView, run: do((*root).askSearch)},
		{id: "next-hit", keys: []string{"n"}, label: "n", help: "next place found", group: "look", disabled: (*root).noSearch, run: do(func(r *root) { r.jump(1) })},
		{id: "prev-hit", keys: []string{"N"}, label: "N", help: "place found before", group: "look", disabled: (*root).noSearch, run: do(func(r *root) { r.jump(-1) })},
		{id: "open", keys: []string{"enter"}, label: "enter", help: "open: text, record, request, facts, fate; in the threads: select", group: "look", run: (*root).openSelected},
		{id: "info", keys: []string{"i"}, label: "i", help: "how the view is known, and what became of the message", hint: "i why", group: "look", disabled: (*root).noView, run: (*root).openInfo},
		{id: "diff", keys: []string{"d"}, label: "d", help: "what differs: full history against the view; again: this call against the next", hint: "d diff", group: "look", disabled: (*root).noView, run: func(r *root) tea.Cmd { return r.openDiff(fullAgainstView, r.call) }},
		{id: "documents", keys: []string{"D"}, label: "D", help: "the documents of the run, as trees or text", group: "look", disabled: (*root).noDocuments, run: do((*root).chooseDocument)},
		{id: "yank", keys: []string{"y"}, label: "y", help: "copy the message, masked, to the clipboard of the terminal", group: "look", disabled: (*root).noView, run: (*root).yankMessage},
		{id: "yank-to-file", keys: []string{"w"}, label: "w", help: "write what was copied last to a file", group: "look", disabled: (*root).noYanked, run: (*root).saveYanked},
	}
}

func strategyActions() []action {
	return []action{
		{id: "strategy", keys: []string{"s"}, label: "s", help: "try a strategy: type the chain", hint: "s strategy", group: "strategy", disabled: (*root).noView, run: do((*root).editChain)},
		{id: "stages", keys: []string{"S"}, label: "S", help: "the chain as a list of stages, to turn their parameters", group: "strategy", disabled: (*root).noView, run: do((*root).editStages)},
		{id: "preset", keys: []string{"@"}, label: "@", help: "take a named chain", group: "strategy", disabled: (*root).noView, run: do((*root).choosePreset)},
		{id: "recorded", keys: []string{"v"}, label: "v", help: "recorded against simulated: set the chain aside, and back", group: "strategy", disabled: (*root).noChain, run: (*root).toggleRecorded},
		{id: "yank-chain", keys: []string{"Y"}, label: "Y", help: "copy the chain, as it is or as another program's setting", group: "strategy", disabled: (*root).noChain, run: do((*root).chooseSetting)},
		{id: "keep-chain", keys: []string{"W"}, label: "W", help: "keep the chain in your settings, under a name of your own", group: "strategy", disabled: (*root).noKeep, run: do((*root).askKeep)},
	}
}

func foldActions() []action {
	return []action{
		{id: "fold", keys: []string{" "}, label: "space", help: "fold or unfold", hint: "space fold", group: "fold", run: do(func(r *root) { r.fold(0) })},
		{id: "unfold", keys: []string{"l", "right"}, label: "l →", help: "unfold", group: "fold", run: do(func(r *root) { r.fold(1) })},
		{id: "close", keys: []string{"h", "left"}, label: "h ←", help: "fold", group: "fold", run: do(func(r *root) { r.fold(-1) })},
		{id: "unfold-all", keys: []string{"+", "="}, label: "+", help: "unfold all messages", group: "fold", disabled: (*root).noView, run: do(func(r *root) { r.msgs.foldAll(true) })},
		{id: "fold-all", keys: []string{"-"}, label: "-", help: "fold all messages", group: "fold", disabled: (*root).noView, run: do(func(r *root) { r.msgs.foldAll(false) })},
	}
}

func paneActions() []action {
	return []action{
		{id: "next-pane", keys: []string{"tab"}, label: "tab", help: "next pane", hint: "tab pane", group: "panes", run: do(func(r *root) { r.turn(1) })},
		{id: "prev-pane", keys: []string{"shift+tab"}, label: "shift-tab", help: "pane before", group: "panes", run: do(func(r *root) { r.turn(-1) })},
		{id: "pane-1", keys: []string{"1"}, label: "1", help: "threads", group: "panes", run: do(func(r *root) { r.toPane(threadsPane) })},
		{id: "pane-2", keys: []string{"2"}, label: "2", help: "full history", group: "panes", run: do(func(r *root) { r.toPane(historyPane) })},
		{id: "pane-3", keys: []string{"3"}, label: "3", help: "what the provider saw", group: "panes", run: do(func(r *root) { r.toPane(sentPane) })},
		{id: "zoom", keys: []string{"z"}, label: "z", help: "the focused pane alone, and back", hint: "z zoom", group: "panes", run: do((*root).toggleZoom)},
		{id: "threads", keys: []string{"t"}, label: "t", help: "show or hide the threads", group: "panes", run: do((*root).toggleThreads)},
	}
}

func programActions() []action {
	return []action{
		{id: "palette", keys: []string{":"}, label: ":", help: "find any command by a few letters", hint: ": command", group: "program", run: do((*root).openPalette)},
		{id: "reveal", keys: []string{"R"}, label: "R", help: "reveal secrets, on this screen only; again to mask them", group: "program", disabled: (*root).noView, run: do((*root).toggleReveal)},
		{id: "export", keys: []string{"e"}, label: "e", help: "export the run, or what this call was sent, without secrets", hint: "e export", group: "program", disabled: (*root).noExport, run: do((*root).askExport)},
		{id: "help", keys: []string{"?"}, label: "?", help: "this help", hint: "? help", group: "program", run: do((*root).openHelp)},
		{id: "suspend", keys: []string{"ctrl+z"}, label: "ctrl-z", help: "to the shell; fg comes back", group: "program", run: func(*root) tea.Cmd { return tea.Suspend }},
		{id: "quit", keys: []string{"q", "ctrl+c"}, label: "q", help: "quit", hint: "q quit", group: "program", run: func(*root) tea.Cmd { return tea.Quit }},
	}
}

// keymap finds actions by key.
type keymap struct {
	table []action
	byKey map[string]*action
	foot  []hint
	// stageFoot and stripFoot are the hints of the list of stages and of the timeline.
	stageFoot, stripFoot []hint
}

func newKeymap() *keymap {
	k := &keymap{table: actionTable(), byKey: map[string]*action{}}
	for i := range k.table {
		for _, key := range k.table[i].keys {
			k.byKey[key] = &k.table[i]
		}
	}
	k.foot = k.footHints()
	k.stageFoot = []hint{{"enter", "keep"}, {"esc", "drop"}}
	for _, row := range stageRows() {
		k.stageFoot = append(k.stageFoot, row.hint)
	}
	for _, row := range stripRows() {
		k.stripFoot = append(k.stripFoot, row.hint)
	}
	return k
}

// stageRows and stripRows are what is shown of the keys of those modes.
func stageRows() []keyRow {
	var rows []keyRow
	for _, a := range stageTable() {
		if a.hint.key != "" {
			rows = append(rows, a.keyRow)
		}
	}
	return rows
}

func stripRows() []keyRow {
	var rows []keyRow
	for _, a := range stripTable() {
		if a.hint.key != "" {
			rows = append(rows, a.keyRow)
		}
	}
	return rows
}

// A hint is a key and what it does, at the bottom of the screen.
type hint struct{ key, does words }

// hints paints hints as far as they fit.
func hints(l *liner, list []hint) {
	for _, h := range list {
		if l.left < len(h.key)+len(h.does)+3 {
			return
		}
		l.own(" ", plain)
		l.own(h.key, keyCap)
		l.own(" ", plain)
		l.own(h.does, faint)
		l.own(" ", plain)
	}
}

// footHints are the hints of the actions that have one, most wanted first.
func (k *keymap) footHints() []hint {
	order := []string{"help", "palette", "search", "next-call", "strategy", "diff", "info", "export", "timeline", "quit", "next-error", "fold", "next-pane", "zoom"}
	var list []hint
	for _, id := range order {
		for i := range k.table {
			if a := &k.table[i]; a.id == id {
				n := len(a.hint) - len(lastWord(a.hint)) - 1
				list = append(list, hint{a.hint[:n], lastWord(a.hint)})
			}
		}
	}
	return list
}

func lastWord(w words) words {
	for i := len(w) - 1; i >= 0; i-- {
		if w[i] == ' ' {
			return w[i+1:]
		}
	}
	return w
}
