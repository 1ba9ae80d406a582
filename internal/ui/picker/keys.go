package picker

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/screens/pager"
)

// screen returns the keys of the list and its filter, or of the help over it.
func (p *Picker) screen() kit.KeyScreen {
	if p.help != nil {
		s := kit.KeyScreen{Tables: []kit.KeyTable{p.help.Table(p, p.Pop)}}
		if p.help.Typing != nil {
			s = p.help.Typing.Screen(p.help.SearchTyped(p))
		}
		return s.And(kit.Anywhere(func() { p.help = nil }))
	}
	return p.ListScreen().And(kit.Anywhere(p.openHelp))
}

// ListScreen returns the keys of the list and its filter.
func (p *Picker) ListScreen() kit.KeyScreen {
	page := max(p.listRows()-1, 1)
	move := func(n int) func() tea.Cmd { return kit.Do(func() { p.moveBy(n) }) }
	turn := func(n int) func() tea.Cmd {
		return kit.Do(func() { p.order = (p.order + n + len(pickOrders)) % len(pickOrders); p.refilter() })
	}
	typed := p.filter.String() != ""
	leave := kit.Action{Keys: []string{"esc"}, Hint: kit.Hint{Key: "esc", Does: "leave"}, Help: "clear the filter; where there is none: leave", Run: func() tea.Cmd { return tea.Quit }}
	if typed {
		leave.Hint, leave.Run = kit.Hint{Key: "esc", Does: "clear"}, kit.Do(func() { p.filter = kit.NewInput(""); p.refilter() })
	}
	return kit.KeyScreen{
		Tables: []kit.KeyTable{{Name: "in the list of runs, lens without a run", Rows: []kit.Action{
			{Keys: []string{"enter"}, Hint: kit.Hint{Key: "enter", Does: "open"}, Help: "open the run", Disabled: p.noRun, Run: p.open},
			{Keys: []string{"down", "ctrl+n", "ctrl+j"}, Hint: kit.Hint{Key: "↑ ↓", Does: "move"}, Help: "the next run", Run: move(1)},
			{Keys: []string{"up", "ctrl+p", "ctrl+k"}, Help: "the run before", Run: move(-1)},
			{Keys: []string{"pgdown", "ctrl+f"}, Help: "a page down", Run: move(page)},
			{Keys: []string{"pgup", "ctrl+b"}, Help: "a page up", Run: move(-page)},
			{Keys: []string{"home"}, Help: "to the first run", Run: move(-len(p.shown))},
			{Keys: []string{"end"}, Help: "to the last run", Run: move(len(p.shown))},
			{Keys: []string{"tab"}, Hint: kit.Hint{Key: "tab", Does: "sort"}, Help: "sort by the next figure: tokens, cost, messages, errors, title", Run: turn(1)},
			{Keys: []string{"shift+tab"}, Help: "sort by the figure before", Run: turn(-1)},
			{Keys: []string{"ctrl+t"}, Help: "show or hide how the run ends", Disabled: p.noPreview, Run: kit.Do(func() { p.peek.off = !p.peek.off; p.moveBy(0) })},
			leave,
		}}},
		Typed: func(k tea.KeyMsg) tea.Cmd {
			if p.filter.Key(k) {
				p.cursor = 0
				p.refilter()
			}
			return nil
		},
		Empty: !typed,
	}
}

func (p *Picker) noRun() kit.Words {
	if p.cursor >= len(p.shown) {
		return "no run to open: esc clears the filter"
	}
	return ""
}

func (p *Picker) noPreview() kit.Words {
	if p.cfg.Preview == nil || p.h < previewFrom {
		return "the screen is too low to show how a run ends"
	}
	return ""
}

// open chooses the run under the cursor.
func (p *Picker) open() tea.Cmd {
	p.Chosen = p.shown[p.cursor]
	return tea.Quit
}

// openHelp shows the help of the list.
func (p *Picker) openHelp() {
	s := p.ListScreen()
	blocks := kit.KeyBlocks(p.cfg.Gate, s.Tables, []kit.KeyTable{{Name: "anywhere", Rows: kit.Anywhere(nil)}}, nil)
	p.help = pager.New("help", append(blocks, kit.MouseBlocks(p.cfg.Gate)...))
	p.help.Toggle = []string{"?", "f1"}
}

// key handles a key.
func (p *Picker) key(k tea.KeyMsg) tea.Cmd {
	p.settle()
	p.note = ""
	s := p.screen()
	if a := s.Find(k.String()); a != nil && !k.Paste {
		return p.act(a)
	}
	if s.Typed != nil {
		return s.Typed(k)
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

// mouse handles a mouse event.
func (p *Picker) mouse(e tea.MouseEvent) tea.Cmd {
	p.settle()
	wheel := 0
	switch {
	case e.Action != tea.MouseActionPress:
		return nil
	case e.Button == tea.MouseButtonWheelUp:
		wheel = -kit.WheelLines
	case e.Button == tea.MouseButtonWheelDown:
		wheel = kit.WheelLines
	case e.Button != tea.MouseButtonLeft:
		return nil
	}
	switch {
	case wheel != 0 && p.help != nil:
		p.help.Scroll(wheel)
	case wheel != 0:
		p.moveBy(wheel)
	default:
		return p.press(e.X, e.Y)
	}
	return nil
}

func (p *Picker) press(x, y int) tea.Cmd {
	was, before, now := p.clicked, p.at, p.now()
	p.clicked, p.at = kit.Click{X: x, Y: y}, now
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
	case at == p.cursor && was.X == x && was.Y == y && now.Sub(before) < kit.DoubleClick:
		return p.open()
	default:
		p.cursor = at
	}
	return nil
}

// clickHint runs the action of the clicked hint in the last line.
func (p *Picker) clickHint(x int) tea.Cmd {
	var l kit.LineWriter
	l.Reset(p.th, p.w, kit.NoShade)
	p.footer(&l)
	s := p.screen()
	for _, h := range l.Hinted {
		if x >= h.From && x < h.To {
			if a := s.Hinted(h.Hint, x-h.From); a != nil {
				p.note = ""
				return p.act(a)
			}
		}
	}
	return nil
}
