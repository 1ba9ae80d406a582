package inspector

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// This file is the context of each call against the window of its model.

// contextAt is the size in tokens of the context of a call, and whether the provider
// counted it: see [curate.Replayed.Context]. Where the record does not tell what was
// sent it is that of all that was given.
func (r *inspector) contextAt(of *curate.Replayed, call int) (tokens int64, counted bool) {
	if c, known := of.Context(call); known {
		return c.Tokens, c.Counted
	}
	given, _ := of.Tally(call)
	return given.Tokens + r.replays.Sizes.BesideAt(call), false
}

// replayed is the replay of which the screen shows a view.
func (r *inspector) replayed() *curate.Replayed {
	if r.msgs.Shown.Chain != "" {
		return r.replays.Chained
	}
	return r.replays.Recorded
}

// toHalf goes to the first call whose context passes half the window of its model.
func (r *inspector) toHalf() tea.Cmd {
	n, says := r.firstPastHalf()
	if n == 0 {
		r.note = says
		return nil
	}
	cmd := r.goCall(n)
	r.note = says + "; i says what fills it"
	return cmd
}

// firstPastHalf is the first call whose context passes half the window, 0 for none, and
// says so.
func (r *inspector) firstPastHalf() (call int, says kit.Words) {
	of := r.replayed()
	if r.msgs.Shown.Chain != "" && r.replays.Only > 0 {
		return 0, "the chain runs a program, and was run for this call alone"
	}
	t := r.msgs.Shown.Thread
	windowOf := r.windows(t)
	var most int64
	var mostAt int
	known := false
	for n := 1; n <= len(t.Calls); n++ {
		window := windowOf(n)
		tokens, exact := r.contextAt(of, n)
		if tokens > most {
			most, mostAt = tokens, n
		}
		if known = known || window > 0; window > 0 && tokens > window/2 {
			return n, view.CallName(t, n) + " is the first past half of " + figureShort(window) + ": " + kit.About(tokens, exact)
		}
	}
	switch {
	case mostAt == 0:
		return 0, "no call of this thread was given anything"
	case !known:
		return 0, "the context window of the model is not known: lens show --window 200k says it"
	}
	_, exact := r.contextAt(of, mostAt)
	return 0, "no call passes half the window; the largest is " + view.CallName(t, mostAt) + " with " + kit.About(most, exact)
}

// windows is the context window at each call of a thread, in tokens.
func (r *inspector) windows(t *model.Thread) func(call int) int64 {
	return curate.Windows{Said: r.cfg.WindowSaid, Of: r.cfg.Window}.At(t)
}

// typedWindow sets the context window for this run of the program, as --window does.
func (r *inspector) typedWindow(arg string) tea.Cmd {
	size := tokensIn(arg)
	if size == 0 && arg != "none" {
		r.note = "a window is a number of tokens, as 200k or 128000; none: as the record and lens know it"
		return nil
	}
	r.cfg.WindowSaid = size
	return r.Form()
}
