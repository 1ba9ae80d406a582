package inspector

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/inspection"
)

// This file compares the context of calls with the context window of the model.

// toHalf goes to the first call whose context exceeds half the window.
func (r *inspector) toHalf() tea.Cmd {
	n, says := r.FirstPastHalf()
	if n == 0 {
		r.note = says
		return nil
	}
	cmd := r.goCall(n)
	r.note = says + " · i for what fills it"
	return cmd
}

// typedWindow sets the context window until lens quits, like --window.
func (r *inspector) typedWindow(arg string) tea.Cmd {
	size := inspection.TokensNamed(arg)
	if size == 0 && arg != "none" {
		r.note = "a window is a number of tokens, such as 200k or 128000; none: as recorded or known"
		return nil
	}
	r.cfg.WindowSaid = size
	return r.form()
}
