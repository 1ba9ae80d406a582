package inspector

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/kit"
)

// triedChains are the chains a person has looked at, the newest last; "" is the record,
// which comes first.
type triedChains struct {
	list []string
	at   int // the one that is shown
}

// add takes in a chain that is shown now. One that was tried before moves to the end,
// unless it is the one that was stepped to.
func (t *triedChains) add(chain string) {
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

// noteTried takes in the chain that is shown, once it is no longer being made.
func (r *inspector) noteTried() {
	if r.scene != nil && r.chain.edit == nil && r.chain.list == nil && !r.chain.aside {
		r.tried.add(r.chain.text)
	}
}

// other reports whether there is a chain in direction d of the one that is shown.
func (t *triedChains) other(d int) bool { return t.at+d >= 0 && t.at+d < len(t.list) }

// stepTried shows the chain that was tried before or after the one that is shown.
func (r *inspector) stepTried(d int) func() tea.Cmd {
	return func() tea.Cmd {
		r.tried.at += d
		r.chain.text, r.chain.aside = r.tried.list[r.tried.at], false
		r.note = "the record"
		if r.tried.at > 0 {
			r.note = "chain " + kit.Int(r.tried.at) + " of " + kit.Int(len(r.tried.list)-1) + " tried"
		}
		return r.Form()
	}
}

func (r *inspector) noTried(d int) func() kit.Words {
	return func() kit.Words {
		switch {
		case r.noView() != "":
			return r.noView()
		case len(r.tried.list) < 2:
			return "no chain was tried yet: s types one, S builds one"
		case !r.tried.other(d) && d < 0:
			return "the record is shown: no chain was tried before it"
		case !r.tried.other(d):
			return "this is the chain that was tried last"
		}
		return ""
	}
}
