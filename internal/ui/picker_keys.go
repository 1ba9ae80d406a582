package ui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// screen is the list of runs and the line that filters it, or the help over it.
func (p *Picker) screen() keyScreen {
	if p.help != nil {
		s := keyScreen{tables: []keyTable{p.help.table(p, p.pop)}}
		if p.help.typing != nil {
			s = p.help.typing.screen(p.help.searchTyped(p))
		}
		return s.and(anywhere(func() { p.help = nil }))
	}
	return p.listScreen().and(anywhere(p.openHelp))
}

func (p *Picker) listScreen() keyScreen {
	page := max(p.listRows()-1, 1)
	move := func(n int) func() tea.Cmd { return do(func() { p.moveBy(n) }) }
	turn := func(n int) func() tea.Cmd {
		return do(func() { p.order = (p.order + n + len(pickOrders)) % len(pickOrders); p.refilter() })
	}
	typed := p.filter.String() != ""
	leave := action{keys: []string{"esc"}, hint: hint{"esc", "leave"}, help: "clear the filter; where there is none: leave", run: func() tea.Cmd { return tea.Quit }}
	if typed {
		leave.hint, leave.run = hint{"esc", "clear"}, do(func() { p.filter = newInput(""); p.refilter() })
	}
	return keyScreen{
		tables: []keyTable{{"in the list of runs, lens without a run", []action{
			{keys: []string{"enter"}, hint: hint{"enter", "open"}, help: "open the run", disabled: p.noRun, run: p.open},
			{keys: []string{"down", "ctrl+n", "ctrl+j"}, hint: hint{"↑ ↓", "move"}, help: "the next run", run: move(1)},
			{keys: []string{"up", "ctrl+p", "ctrl+k"}, help: "the run before", run: move(-1)},
			{keys: []string{"pgdown", "ctrl+f"}, help: "a page down", run: move(page)},
			{keys: []string{"pgup", "ctrl+b"}, help: "a page up", run: move(-page)},
			{keys: []string{"home"}, help: "to the first run", run: move(-len(p.shown))},
			{keys: []string{"end"}, help: "to the last run", run: move(len(p.shown))},
			{keys: []string{"tab"}, hint: hint{"tab", "sort"}, help: "sort by the next figure: tokens, cost, messages, errors, title", run: turn(1)},
			{keys: []string{"shift+tab"}, help: "sort by the figure before", run: turn(-1)},
			{keys: []string{"ctrl+t"}, help: "show or hide how the run ends", disabled: p.noPreview, run: do(func() { p.peek.off = !p.peek.off; p.moveBy(0) })},
			leave,
		}}},
		typed: func(k tea.KeyMsg) tea.Cmd {
			if p.filter.key(k) {
				p.cursor = 0
				p.refilter()
			}
			return nil
		},
		empty: !typed,
	}
}

func (p *Picker) noRun() words {
	if p.cursor >= len(p.shown) {
		return "no run to open: esc clears the filter"
	}
	return ""
}

func (p *Picker) noPreview() words {
	if p.cfg.Preview == nil || p.h < previewFrom {
		return "the screen is too low to show how a run ends"
	}
	return ""
}

// open takes the run under the cursor.
func (p *Picker) open() tea.Cmd {
	p.chosen = p.shown[p.cursor]
	return tea.Quit
}

// openHelp shows the keys of the list.
func (p *Picker) openHelp() {
	s := p.listScreen()
	blocks := keyBlocks(p.cfg.Gate, s.tables, []keyTable{{"anywhere", anywhere(nil)}}, nil)
	p.help = newPager("help", append(blocks, mouseBlocks(p.cfg.Gate)...))
	p.help.toggle = []string{"?", "f1"}
}

// key presses a key.
func (p *Picker) key(k tea.KeyMsg) tea.Cmd {
	p.settle()
	p.note = ""
	s := p.screen()
	if a := s.find(k.String()); a != nil && !k.Paste {
		return p.act(a)
	}
	if s.typed != nil {
		return s.typed(k)
	}
	return nil
}

// act does an action, or says why it cannot be done.
func (p *Picker) act(a *action) tea.Cmd {
	if why := a.why(); why != "" {
		p.note = why
		return nil
	}
	return a.run()
}

// mouse scrolls, selects a run, and opens it at the second click.
func (p *Picker) mouse(e tea.MouseEvent) tea.Cmd {
	p.settle()
	wheel := 0
	switch {
	case e.Action != tea.MouseActionPress:
		return nil
	case e.Button == tea.MouseButtonWheelUp:
		wheel = -wheelLines
	case e.Button == tea.MouseButtonWheelDown:
		wheel = wheelLines
	case e.Button != tea.MouseButtonLeft:
		return nil
	}
	switch {
	case wheel != 0 && p.help != nil:
		p.help.scroll(wheel)
	case wheel != 0:
		p.moveBy(wheel)
	default:
		return p.press(e.X, e.Y)
	}
	return nil
}

func (p *Picker) press(x, y int) tea.Cmd {
	was, before, now := p.clicked, p.at, p.now()
	p.clicked, p.at = click{x: x, y: y}, now
	at := p.top + y - listTop
	switch {
	case y == p.h-1:
		return p.clickHint(x)
	case p.help == nil && y == listTop-1:
		if order := p.orderAt(x); order >= 0 {
			p.order = order
			p.refilter()
		}
	case p.help != nil, y < listTop, y >= listTop+p.listRows(), at >= len(p.shown):
	case at == p.cursor && was.x == x && was.y == y && now.Sub(before) < doubleClick:
		return p.open()
	default:
		p.cursor = at
	}
	return nil
}

// clickHint does what the hint under a click in the last line says.
func (p *Picker) clickHint(x int) tea.Cmd {
	var l liner
	l.reset(p.th, p.w, noShade)
	p.footer(&l)
	s := p.screen()
	for _, h := range l.hinted {
		if x >= h.from && x < h.to {
			if a := s.hinted(h.hint, x-h.from); a != nil {
				p.note = ""
				return p.act(a)
			}
		}
	}
	return nil
}
