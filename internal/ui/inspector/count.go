package inspector

import (
	"context"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
	"agentlens/internal/ui/view"
)

// sampleFrom is the size in bytes from which on a thread is sized by a sample
// before it is counted; a smaller one is counted about as soon.
const sampleFrom = 1 << 20

// roughFrom is the size in bytes from which on a thread's texts are not read before
// a view of it is shown, but after.
const roughFrom = 4 << 20

// A counting is the tokens of one thread being counted in the background.
type counting struct {
	thread  *model.Thread
	percent atomic.Int32 // of the bytes of its texts, for the header
}

// measureNow counts the tokens of the thread that is shown, once. What is counted
// of another thread ends.
func (r *inspector) measureNow() tea.Cmd {
	t, run := r.Thread(), r.Labels.Run
	if r.counting != nil && r.counting.thread == t {
		return nil
	}
	r.stopCounting()
	if s := r.Sizes[t]; t == nil || run.Partial || s != nil && s.Counted() {
		return nil
	}
	c := &counting{thread: t}
	r.counting = c
	sample, drawn := r.Sizes[t] == nil && view.StoredBytes(t) >= sampleFrom, r.drawn
	begin := func(ctx context.Context) { // the first screen has the processors for itself
		select {
		case <-drawn:
		case <-time.After(headStart):
		case <-ctx.Done():
		}
	}
	if !sample {
		return tea.Batch(r.tickLater(), r.Count(c, begin))
	}
	return tea.Batch(r.tickLater(), r.jobs.Start(countJob, func(ctx context.Context) func() tea.Cmd {
		begin(ctx)
		sizes, err := curate.Sample(ctx, run, t, tokens.For(t.LastModel()))
		return func() tea.Cmd {
			count := r.Count(c, func(context.Context) {})
			if err != nil {
				return count
			}
			r.Sizes[t] = sizes
			return tea.Batch(r.Form(), count)
		}
	}))
}

// Count counts the tokens of a thread in a job, once begin returns.
func (r *inspector) Count(c *counting, begin func(context.Context)) tea.Cmd {
	run := r.Labels.Run
	return r.jobs.Start(countJob, func(ctx context.Context) func() tea.Cmd {
		begin(ctx)
		sizes, err := curate.MeasureFor(ctx, run, c.thread, func(done, all int64) {
			c.percent.Store(int32(100 * done / max(all, 1)))
		})
		return func() tea.Cmd {
			r.counting = nil
			if err != nil { // figures stay estimates, and say so
				r.Fail("figures stay estimates: ", err)
				return nil
			}
			r.Sizes[c.thread] = sizes
			return r.Form()
		}
	})
}

func (r *inspector) stopCounting() {
	r.jobs.Stop(countJob)
	r.counting = nil
}
