package chain

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
)

// tried are the chains that were looked at, the newest last. The first is the record.
type tried struct {
	list []string
	at   int // the one that is shown
}

// add adds a chain that is shown now. A chain that was tried before moves to the end, unless it
// is the one at at.
func (t *tried) add(chain string) {
	if len(t.list) == 0 {
		t.list = []string{""}
	}
	if t.list[t.at] == chain {
		return
	}
	if i := slices.Index(t.list, chain); i > 0 {
		t.list = slices.Delete(t.list, i, i+1)
	}
	if chain == "" {
		t.at = 0
		return
	}
	t.list = append(t.list, chain)
	t.at = len(t.list) - 1
}

// Remember adds the chain in force to the chains that were tried, unless it is being edited or
// the record is shown in its place.
func (e *Editor) Remember() {
	if e.line == nil && e.list == nil && !e.aside {
		e.tried.add(e.text)
	}
}

// Chains returns the record and the chains that were tried, the newest last.
func (e *Editor) Chains() []string { return e.tried.list }

// Step shows the chain that was tried before (-1) or after (1) the one that is shown.
func (e *Editor) Step(h kit.Host, d int) tea.Cmd {
	t := &e.tried
	t.at += d
	e.Set(t.list[t.at])
	if t.at == 0 {
		h.Say("the record")
	} else {
		h.Say("chain " + kit.Int(t.at) + " of " + kit.Int(len(t.list)-1) + " tried")
	}
	return h.Do(Form{})
}

// NoStep says why there is no chain in direction d, or "".
func (e *Editor) NoStep(d int) kit.Words {
	t := &e.tried
	there := t.at+d >= 0 && t.at+d < len(t.list)
	switch {
	case len(t.list) < 2:
		return "no chain was tried yet: s types one, S builds one"
	case !there && d < 0:
		return "the record is shown: no chain was tried before it"
	case !there:
		return "this is the chain that was tried last"
	}
	return ""
}
