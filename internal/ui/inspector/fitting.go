package inspector

import (
	"context"

	"agentlens/internal/ui/inspection"

	tea "github.com/charmbracelet/bubbletea"
)

// fitting is the note shown during a search for a fitting chain.
const fitting = "looking for a chain…"

// typedFit searches for a chain that fits the size in arg, and shows it.
func (r *inspector) typedFit(arg string) tea.Cmd {
	f, why := r.Fit(arg)
	if why != "" {
		r.note = why
		return nil
	}
	r.note, r.waiting = fitting, fitting
	cmd := r.jobs.StartAlone(askedJob, func(ctx context.Context) func() tea.Cmd {
		f.Find(ctx)
		return func() tea.Cmd { return r.takeFit(&f) }
	})
	r.fit = fitNow{&f, r.jobs.Token(askedJob)}
	return tea.Batch(cmd, r.tickLater())
}

// A fitNow is a search for a fitting chain, with the token of its job.
type fitNow struct {
	*inspection.Fit
	job uint64
}

// noteFit shows how far the search for a fitting chain is. It reports whether one runs.
func (r *inspector) noteFit() bool {
	if r.fit.Fit == nil || r.jobs.Token(askedJob) != r.fit.job {
		return false
	}
	if at := r.fit.Progress(); at != "" && r.note == r.waiting {
		r.note = fitting + " " + at
		r.waiting = r.note
	}
	return true
}

// takeFit shows the chain that the search found.
func (r *inspector) takeFit(f *inspection.Fit) tea.Cmd {
	r.endNote(r.waiting)
	r.fit = fitNow{}
	if f.Err != nil {
		r.Say(f.Fault(r.cfg.Gate))
		return nil
	}
	cmd := r.typedChain(f.Chain.String())
	r.note = f.Words() + vShowsRecord
	return cmd
}

// toHalf goes to the first call whose context exceeds half the window.
func (r *inspector) toHalf() tea.Cmd {
	n, says := r.FirstPastHalf()
	if n == 0 {
		r.note = says
		return nil
	}
	cmd := r.goCall(n)
	r.note = says + iShowsFill
	return cmd
}

// typedWindow sets the context window until lens quits, like --window.
func (r *inspector) typedWindow(arg string) tea.Cmd {
	size := inspection.TokensNamed(arg)
	if size == 0 && arg != "none" {
		r.note = invalidWindow
		return nil
	}
	r.cfg.WindowSaid = size
	return r.form()
}
