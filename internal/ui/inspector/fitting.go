package inspector

import (
	"context"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/score"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// This file is :fit: a chain is looked for that brings the context of the call within
// a size.

// leastMessages is the share of the messages of a call, in percent, that a size must
// leave them beside what the prompt holds anyway, to be met at all.
const leastMessages = 20

// fitting is said while a chain is looked for.
const fitting = "looking for a chain…"

// A fit is a size that the context of a call is to be cut to, and the chain that was found
// for it.
type fit struct {
	in    curate.Input
	call  int
	room  int64     // for the messages, in tokens
	rest  int64     // of the prompt that are not messages, in tokens
	says  kit.Words // what the size is
	chain curate.Chain
	view  *model.View
	err   error
}

// Find looks for the chain.
func (f *fit) Find(ctx context.Context) {
	f.chain, f.view, f.err = score.Fit(ctx, f.in, f.call, f.room)
}

// left is the size of the context with the chain.
func (f *fit) left() kit.Words { return kit.About(f.view.Curated.Tokens+f.rest, false) }

// typedFit looks for a chain that fits a size and tries it.
func (r *inspector) typedFit(arg string) tea.Cmd {
	f, ok := r.fitOf(arg)
	if !ok {
		return nil
	}
	r.note, r.waiting = fitting, fitting
	return r.jobs.Start(askedJob, func(ctx context.Context) func() tea.Cmd {
		f.Find(ctx)
		return func() tea.Cmd { return r.takeFit(&f) }
	})
}

// fitOf reads a size: a share of the context of this call, or tokens. It notes why
// that is no size to look for.
func (r *inspector) fitOf(arg string) (f fit, ok bool) {
	s := r.msgs.Shown
	now, exact := r.contextAt(r.replays.Recorded, s.Call)
	var size int64
	says := kit.Words("")
	share, isShare := kit.ParseInt(strings.TrimSuffix(arg, "%"))
	switch {
	case arg == "half":
		size, says = now/2, "half of "+kit.About(now, exact)
	case strings.HasSuffix(arg, "%"):
		if !isShare || share < 1 || share > 100 {
			r.note = "a share is 1% to 100%, or half"
			return f, false
		}
		size, says = int64(float64(now)*float64(share)/100), kit.Int(share)+"% of "+kit.About(now, exact)
	default:
		n := tokensIn(arg)
		if n == 0 {
			r.note = "a size is half, a share as 30%, or tokens as 20k"
			return f, false
		}
		size, says = n, figureShort(n)+" tokens"
	}
	if size >= now {
		r.note = "the context of this call is " + kit.About(now, exact) + ": it fits as it is"
		return f, false
	}
	in := curate.Input{Run: r.scene.Run, Thread: s.Thread, Sizes: r.replays.Sizes, Window: r.windows(s.Thread)(s.Call), Mask: r.cfg.Mask}
	in.Texts = in.Sizes.Counted() && view.StoredBytes(s.Thread) <= view.CountAtOnce // else what is cut is estimated
	room := size - s.Rest
	if messages := now - s.Rest; s.Rest > 0 && room < messages/100*leastMessages {
		room = int64(float64(size) * float64(messages) / float64(max(now, 1)))
		says = "that share of the messages alone, for " + kit.About(s.Rest, false) + " of " + kit.About(now, exact) + " stand beside them"
	}
	return fit{in: in, call: s.Call, room: max(room, 1), rest: s.Rest, says: says}, true
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

// takeFit tries the chain that was found.
func (r *inspector) takeFit(f *fit) tea.Cmd {
	r.endNote(fitting)
	if f.err != nil {
		r.noFit(f)
		return nil
	}
	cmd := r.typedChain(f.chain.String())
	r.note = f.says + ": " + f.left() + " so; v shows the record again"
	return cmd
}

// noFit notes why no chain was found.
func (r *inspector) noFit(f *fit) {
	if errors.Is(f.err, score.ErrNoFit) {
		r.note = f.says + ": no chain does it and keeps what was asked last; try a larger size"
		return
	}
	r.Fail("no chain was found: ", f.err)
}
