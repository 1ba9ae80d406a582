package ui

import tea "github.com/charmbracelet/bubbletea"

// chainScreen is the line a chain is typed in.
func (r *root) chainScreen() keyScreen {
	c := &r.chain
	turn := func(d int) func() tea.Cmd {
		return func() tea.Cmd { c.complete(d); return r.chainTyped(c.parse()) }
	}
	return keyScreen{
		tables: []keyTable{{"while a chain is typed, s", []action{
			{keys: []string{"enter"}, help: "take the chain", run: r.takeChain},
			{keys: []string{"tab"}, help: "the next name that fits, or the next value of the parameter", run: turn(1)},
			{keys: []string{"shift+tab"}, help: "the name or value before", run: turn(-1)},
			{keys: []string{"esc"}, help: "back to the chain there was", run: r.dropChain},
		}}},
		typed: func(k tea.KeyMsg) tea.Cmd {
			if !c.edit.key(k) {
				return nil
			}
			c.cycle = nil
			return r.chainTyped(c.parse())
		},
		empty: c.edit == nil || c.edit.String() == "",
	}
}

// chainTyped forms the view of what was typed, where that is another chain.
func (r *root) chainTyped(reform bool) tea.Cmd {
	if !reform {
		return nil
	}
	return r.form()
}

// takeChain ends the edit, unless the chain has a fault: that is told.
func (r *root) takeChain() tea.Cmd {
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
func (r *root) dropChain() tea.Cmd {
	c := &r.chain
	reform := c.good != c.text
	c.edit, c.err = nil, nil
	return r.chainTyped(reform)
}
