package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
)

// This file is the context of each call against the window of its model.

// contextAt is the size in tokens of the context of a call: as the provider counted it
// where of is the record and tells it; else the messages, as the chain sends them or
// as far as the record knows, with what prompts hold beside them where that is known.
func (r *root) contextAt(of *curate.Replayed, call int) (tokens int64, exact bool) {
	t, record := r.threadNow(), of == r.replays.recorded
	if record && call <= len(t.Calls) {
		if prompt, ok := t.Calls[call-1].Usage.Prompt(); ok {
			return prompt, true
		}
	}
	given, sent := of.Tally(call)
	if record && !of.Has(call) {
		sent = given
	}
	return sent.Tokens + r.msgs.shown.rest, false
}

// replayed is the replay of which the screen shows a view.
func (r *root) replayed() *curate.Replayed {
	if r.msgs.shown.chain != "" {
		return r.replays.chained
	}
	return r.replays.recorded
}

// toHalf goes to the first call whose context passes half the window of its model.
func (r *root) toHalf() tea.Cmd {
	of := r.replayed()
	if r.msgs.shown.chain != "" && r.replays.only > 0 {
		r.note = "the chain runs a program, and was run for this call alone"
		return nil
	}
	t, windowOf := r.threadNow(), r.windows()
	var most int64
	var mostAt int
	known := false
	for n := 1; n <= len(t.Calls); n++ {
		window := windowOf(t.Calls[n-1].Model)
		tokens, exact := r.contextAt(of, n)
		if tokens > most {
			most, mostAt = tokens, n
		}
		if known = known || window > 0; window > 0 && tokens*2 > window {
			cmd := r.goCall(n)
			r.note = callName(t, n) + " is the first past half of " + figureShort(window) + ": " + about(tokens, exact) + "; i says what fills it"
			return cmd
		}
	}
	switch {
	case mostAt == 0:
		r.note = "no call of this thread was given anything"
	case !known:
		r.note = "the context window of the model is not known: lens show --window 200k says it"
	default:
		_, exact := r.contextAt(of, mostAt)
		r.note = "no call passes half the window; the largest is " + callName(t, mostAt) + " with " + about(most, exact)
	}
	return nil
}

// windows looks up the window of each model once; a call that names none has that of
// the thread.
func (r *root) windows() func(model string) int64 {
	seen := map[string]int64{}
	return func(model string) int64 {
		if model == "" {
			model = r.modelOf()
		}
		n, ok := seen[model]
		if !ok && r.cfg.Window != nil && model != "" {
			n = r.cfg.Window(model)
			seen[model] = n
		}
		return n
	}
}
