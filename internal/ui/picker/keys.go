package picker

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/help"
)

// screen returns the keys of the list, of its search line, or of the help over it.
func (p *Picker) screen() kit.KeyScreen {
	switch {
	case p.help != nil:
		s := p.help.Keys(p)
		return s.And(kit.Anywhere(func() { p.help = nil }))
	case p.typing:
		return p.SearchScreen().And(kit.Anywhere(p.openHelp))
	}
	return p.ListScreen().And(kit.Anywhere(p.openHelp))
}

// ListScreen returns the keys of the list.
func (p *Picker) ListScreen() kit.KeyScreen {
	page := max(p.listRows()-1, 1)
	leave := kit.Action{Keys: []string{"esc"}, Hint: kit.Hint{Key: "esc", Does: "leave"}, Help: "clear the count or the search; where there is none: leave", Run: func() tea.Cmd { return tea.Quit }}
	switch {
	case p.count > 0:
		leave.Hint, leave.Run = kit.Hint{Key: "esc", Does: "cancel"}, kit.Do(func() { p.count = 0 })
	case p.line.String() != "":
		leave.Hint, leave.Run = kit.Hint{Key: "esc", Does: "clear"}, kit.Do(p.clear)
	}
	var compare kit.Hint
	if len(p.marked) > 0 {
		compare = kit.Hint{Key: "D", Does: "compare"}
	}
	open := kit.Hint{Key: "enter", Does: "open"}
	if p.empty() {
		open.Does = openBuiltIn
	}
	return kit.KeyScreen{Tables: []kit.KeyTable{{Name: "in the list of runs, lens without a run", Rows: []kit.Action{
		{Keys: []string{"enter"}, Hint: open, Help: "open the run; on a hit: at its message; without runs: the built-in run", Disabled: p.noRun, Run: p.open},
		{Keys: []string{"j", "down", "ctrl+n", "ctrl+j"}, Hint: kit.Hint{Key: "j k", Does: "move"}, Help: "the next line", Run: p.move(1)},
		{Keys: []string{"k", "up", "ctrl+p", "ctrl+k"}, Help: "the line before", Run: p.move(-1)},
		{Keys: []string{"pgdown", "ctrl+f"}, Help: "a page down", Run: p.move(page)},
		{Keys: []string{"pgup", "ctrl+b"}, Help: "a page up", Run: p.move(-page)},
		{Keys: []string{"ctrl+d"}, Help: "half a page down", Run: p.move(max(page/2, 1))},
		{Keys: []string{"ctrl+u"}, Help: "half a page up", Run: p.move(-max(page/2, 1))},
		{Keys: []string{"g", "home"}, Help: "to the first line; with a count: to that line", Run: p.to(0)},
		{Keys: []string{"G", "end"}, Help: "to the last line; with a count: to that line", Run: p.to(len(p.shown) - 1)},
		{Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Help: "a count for the next move: 5j", Run: kit.Do(p.digit)},
		{Keys: []string{"0"}, Help: "the next digit of a count", Disabled: p.noCount, Run: kit.Do(p.digit)},
		{Keys: []string{"/"}, Hint: kit.Hint{Key: "/", Does: "search"}, Help: "search the titles and the contents of all runs; tab there: titles, projects, models and agents only", Run: kit.Do(func() { p.typing = true })},
		{Keys: []string{"o"}, Hint: kit.Hint{Key: "o", Does: "order"}, Help: "sort by the next: newest, cost, tokens, calls, failures, title", Run: kit.Do(func() { p.sortBy(orders()[(p.order+1)%len(orders())].name) })},
		{Keys: []string{"O"}, Hint: kit.Hint{Key: "O", Does: "reverse"}, Help: "reverse the order", Run: kit.Do(func() { p.sortBy(orders()[p.order].name) })},
		{Keys: []string{" "}, Hint: kit.Hint{Key: "space", Does: "mark"}, Help: "mark a run to compare; in a search of the contents: all hits of the run, or the first", Disabled: p.noMark, Run: kit.Do(p.mark)},
		{Keys: []string{"D"}, Hint: compare, Help: "compare the two marked runs, or the marked one with this one", Disabled: p.noCompare, Run: p.compareMarked},
		{Keys: []string{"p", "ctrl+t"}, Help: "show or hide the preview", Disabled: p.noPreview, Run: kit.Do(func() { p.peek.off = !p.peek.off; p.moveBy(0) })},
		leave,
		{Keys: []string{"q"}, Help: "leave", Run: func() tea.Cmd { return tea.Quit }},
	}}}}
}

// SearchScreen returns the keys of the search line.
func (p *Picker) SearchScreen() kit.KeyScreen {
	page := max(p.listRows()-1, 1)
	other := kit.Words(searchContents)
	if p.scope == contents {
		other = searchTitles
	}
	done := kit.Hint{Key: "enter", Does: "to the list"}
	return kit.KeyScreen{
		Tables: []kit.KeyTable{{Name: "while a search of the runs is typed, /", Rows: []kit.Action{
			{Keys: []string{"enter"}, Hint: done, Help: "to the list; search the contents where no title matches", Run: p.endTyping},
			{Keys: []string{"tab"}, Hint: kit.Hint{Key: "tab", Does: other}, Help: "search titles only, or also the contents of all runs", Disabled: p.noSearch, Run: p.turn},
			{Keys: []string{"down", "ctrl+n", "ctrl+j"}, Help: "the next line", Run: p.move(1)},
			{Keys: []string{"up", "ctrl+p", "ctrl+k"}, Help: "the line before", Run: p.move(-1)},
			{Keys: []string{"pgdown"}, Help: "a page down", Run: p.move(page)},
			{Keys: []string{"pgup"}, Help: "a page up", Run: p.move(-page)},
			{Keys: []string{"esc"}, Hint: kit.Hint{Key: "esc", Does: "cancel"}, Help: "clear the search", Run: kit.Do(p.clear)},
		}}},
		Typed: func(k tea.KeyMsg) tea.Cmd {
			if !p.line.Key(k) {
				return nil
			}
			return p.typedText()
		},
		Empty: p.line.String() == "",
	}
}

// move returns the action that moves the cursor by n lines, or by the count times n.
func (p *Picker) move(n int) func() tea.Cmd {
	return kit.Do(func() { p.moveBy(n * max(p.count, 1)) })
}

// to returns the action that moves the cursor to a line, or to the one that the count names.
func (p *Picker) to(line int) func() tea.Cmd {
	return kit.Do(func() {
		if p.count > 0 {
			line = p.count - 1
		}
		p.cursor = 0
		p.moveBy(line)
	})
}

// maxCount bounds a typed count.
const maxCount = 1_000_000

// digit adds the pressed digit to the count.
func (p *Picker) digit() {
	p.count = min(10*p.count+int(p.pressed[0]-'0'), maxCount)
}

func (p *Picker) noCount() kit.Words {
	if p.count == 0 {
		return countFrom1
	}
	return ""
}

func (p *Picker) noSearch() kit.Words {
	if p.cfg.Search == nil {
		return noContentSearch
	}
	return ""
}

// clear ends the search and lists all runs.
func (p *Picker) clear() {
	p.jobs.Stop(searchJob)
	p.typed++
	p.line, p.typing, p.found = kit.NewInput(""), false, contentSearch{}
	p.refilter()
}

// turn switches between titles and contents.
func (p *Picker) turn() tea.Cmd {
	p.cursor = 0
	p.refilter()
	if p.scope = contents - p.scope; p.scope == titles {
		p.jobs.Stop(searchJob)
		p.found = contentSearch{}
		return nil
	}
	return p.search()
}

// endTyping returns the keyboard focus to the list.
func (p *Picker) endTyping() tea.Cmd {
	if p.scope == titles && len(p.shown) == 0 && p.line.String() != "" && p.cfg.Search != nil {
		p.typing = false
		return p.turn()
	}
	p.typing = false
	if p.scope == contents {
		return p.search()
	}
	return nil
}

// empty reports whether the scan found no run.
func (p *Picker) empty() bool { return len(p.rows) == 0 && !p.scanning && p.scanErr == nil }

func (p *Picker) noRun() kit.Words {
	if p.cursor >= len(p.shown) && !p.empty() {
		return noRunToOpen
	}
	return ""
}

func (p *Picker) noPreview() kit.Words {
	if p.cfg.Preview == nil || p.h < previewFrom {
		return screenTooLow
	}
	return ""
}

// open chooses the run or the hit under the cursor, or the built-in run of an empty list.
func (p *Picker) open() tea.Cmd {
	if p.empty() {
		p.choice, p.left = Choice{Demo: true}, true
		return tea.Quit
	}
	e := p.shown[p.cursor]
	if e.hit == moreHits {
		p.unfold()
		return nil
	}
	p.choice, p.left = Choice{Row: p.rows[e.row], Hit: p.hitAt(e), Text: p.found.text}, true
	return tea.Quit
}

// openHelp shows the help of the list.
func (p *Picker) openHelp() {
	tables := append(p.ListScreen().Tables, p.SearchScreen().Tables...)
	groups := help.Groups(tables, []kit.KeyTable{{Name: "anywhere", Rows: kit.Anywhere(nil)}})
	p.help = help.New(append(groups, help.Mouse())).Begin(groups[:1])
}

// keys handles keys. The terminal may deliver several letters at once; each of them can be a
// key.
func (p *Picker) keys(k tea.KeyMsg) tea.Cmd {
	if k.Type != tea.KeyRunes || len(k.Runes) < 2 || k.Paste || k.Alt {
		return p.key(k)
	}
	var cmds []tea.Cmd
	for _, c := range k.Runes {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{c}}
		if c == ' ' {
			one.Type = tea.KeySpace
		}
		if cmds = append(cmds, p.key(one)); p.left {
			break
		}
	}
	return tea.Batch(cmds...)
}

// key handles a key.
func (p *Picker) key(k tea.KeyMsg) tea.Cmd {
	p.settle()
	p.note, p.pressed = "", k.String()
	s := p.screen()
	a := s.Find(p.pressed)
	switch {
	case a != nil && !k.Paste:
		count := p.count
		cmd := p.act(a)
		if p.count == count { // no digit: the count is used up
			p.count = 0
		}
		return cmd
	case s.Typed != nil:
		return s.Typed(k)
	case p.help == nil && len(k.Runes) == 1 && !k.Paste:
		p.count = 0
		p.note = "`" + p.gated(p.pressed) + notBound
	}
	return nil
}

// act runs an action, or shows why it is not available.
func (p *Picker) act(a *kit.Action) tea.Cmd {
	if why := a.Why(); why != "" {
		p.note = why
		return nil
	}
	return a.Run()
}
