package inspector

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
)

// chainScreen is the line a chain is typed in.
func (r *inspector) chainScreen() kit.KeyScreen {
	c := &r.chain
	turn := func(d int) func() tea.Cmd {
		return func() tea.Cmd { c.complete(d); return r.chainTyped(c.parse()) }
	}
	return kit.KeyScreen{
		Tables: []kit.KeyTable{{Name: "while a chain is typed, s", Rows: []kit.Action{
			{Keys: []string{"enter"}, Help: "take the chain", Run: r.takeChain},
			{Keys: []string{"tab"}, Help: "the next name that fits, or the next value of the parameter", Run: turn(1)},
			{Keys: []string{"shift+tab"}, Help: "the name or value before", Run: turn(-1)},
			{Keys: []string{"esc"}, Help: "back to the chain there was", Run: r.dropChain},
		}}},
		Typed: func(k tea.KeyMsg) tea.Cmd {
			if !c.edit.Key(k) {
				return nil
			}
			c.cycle = nil
			return r.chainTyped(c.parse())
		},
		Empty: c.edit == nil || c.edit.String() == "",
	}
}

// chainTyped forms the view of what was typed, where that is another chain.
func (r *inspector) chainTyped(reform bool) tea.Cmd {
	if !reform {
		return nil
	}
	return r.Form()
}

// takeChain ends the edit, unless the chain has a fault: that is told.
func (r *inspector) takeChain() tea.Cmd {
	c := &r.chain
	if c.err != nil {
		c.insist = true
		return nil
	}
	reform := c.release()
	c.commit()
	return r.chainTyped(reform)
}

// dropChain ends the edit with the chain there was before it.
func (r *inspector) dropChain() tea.Cmd {
	c := &r.chain
	reform := c.good != c.text
	c.edit, c.err = nil, nil
	return r.chainTyped(reform)
}
