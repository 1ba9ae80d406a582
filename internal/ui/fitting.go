package ui

import (
	"context"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/score"
	"agentlens/internal/model"
)

// This file is :fit: a chain is looked for that brings the context of the call within
// a size.

// leastMessages is the share of the messages of a call, in percent, that a size must
// leave them beside what the prompt holds anyway, to be met at all.
const leastMessages = 20

// fitting is said while a chain is looked for.
const fitting = "looking for a chain…"

// A fitMsg is the chain that was found.
type fitMsg struct {
	at    moment
	shown *shown // what the person looked at
	chain curate.Chain
	view  *model.View
	says  words // of what the size is
	err   error
}

// typedFit looks for a chain that fits a size: a share of the context of this call, or
// tokens.
func (r *root) typedFit(arg string) tea.Cmd {
	s := r.msgs.shown
	now, exact := r.contextAt(r.replays.recorded, s.call)
	var size int64
	says := words("")
	share, isShare := number(strings.TrimSuffix(arg, "%"))
	switch {
	case arg == "half":
		size, says = now/2, "half of "+about(now, exact)
	case strings.HasSuffix(arg, "%"):
		if !isShare || share < 1 || share > 100 {
			r.note = "a share is 1% to 100%, or half"
			return nil
		}
		size, says = int64(float64(now)*float64(share)/100), figureWhole(share)+"% of "+about(now, exact)
	default:
		n := tokensIn(arg)
		if n == 0 {
			r.note = "a size is half, a share as 30%, or tokens as 20k"
			return nil
		}
		size, says = n, figureShort(n)+" tokens"
	}
	if size >= now {
		r.note = "the context of this call is " + about(now, exact) + ": it fits as it is"
		return nil
	}
	in := curate.Input{Run: r.scene.run, Thread: s.thread, Sizes: r.replays.sizes, Window: r.windows(s.thread)(s.call), Mask: r.cfg.Mask}
	in.Texts = in.Sizes.Counted() && storedBytes(s.thread) <= countAtOnce // else what is cut is estimated
	room := size - s.rest
	if messages := now - s.rest; s.rest > 0 && room < messages/100*leastMessages {
		room = int64(float64(size) * float64(messages) / float64(max(now, 1)))
		says = "that share of the messages alone, for " + about(s.rest, false) + " of " + about(now, exact) + " stand beside them"
	}
	if r.stopFit != nil {
		r.stopFit()
	}
	ctx, stop := context.WithCancel(r.ctx)
	r.stopFit = stop
	r.asked++
	at := r.moment()
	r.note = fitting
	return safely(func() tea.Msg {
		chain, view, err := score.Fit(ctx, in, s.call, max(room, 1))
		return fitMsg{at, s, chain, view, says, err}
	})
}

// tokensIn reads a number of tokens as chains have it: 20k, 20000 tok; 0 for none.
func tokensIn(arg string) int64 {
	chain, err := curate.Parse("token_budget(" + arg + ")")
	if err != nil || len(chain) != 1 {
		return 0
	}
	v := chain[0].Arg("max")
	if v.Unit != curate.Tok {
		return 0
	}
	return int64(v.Number)
}

// arrive tries the chain that was found, unless the person has gone elsewhere.
func (msg fitMsg) arrive(r *root) tea.Cmd {
	if r.note == fitting {
		r.note = ""
	}
	switch {
	case msg.at != r.moment():
		return nil
	case errors.Is(msg.err, score.ErrNoFit):
		r.note = msg.says + ": no chain does it and keeps what was asked last; try a larger size"
		return nil
	case msg.err != nil:
		r.note, r.noteText = "no chain was found: ", r.cfg.Gate.Line(oneLine(msg.err.Error()))
		return nil
	}
	cmd := r.typedChain(msg.chain.String())
	r.note = msg.says + ": " + about(msg.view.Curated.Tokens+msg.shown.rest, false) + " so; v shows the record again"
	return cmd
}
