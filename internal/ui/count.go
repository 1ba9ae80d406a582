package ui

import (
	"context"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/curate"
	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
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
	ctx     context.Context
	stop    context.CancelFunc
	events  chan tea.Msg
	percent atomic.Int32 // of the bytes of its texts, for the header
}

// measured is a thread with its tokens sized: by a sample at first, then counted.
// It is the last news of a counting unless it is a sample.
type measured struct {
	of     *counting
	sizes  *curate.Sizes
	sample bool
	err    error
}

// measureNow counts the tokens of the thread that is shown, once. What is counted
// of another thread ends.
func (r *root) measureNow() tea.Cmd {
	t, run := r.threadNow(), r.scene.run
	if r.counting != nil && r.counting.thread == t {
		return nil
	}
	r.stopCounting()
	if s := r.sizes[t]; t == nil || run.Partial || s != nil && s.Counted() {
		return nil
	}
	ctx, stop := context.WithCancel(r.ctx)
	c := &counting{thread: t, ctx: ctx, stop: stop, events: make(chan tea.Msg, 1)}
	r.counting = c
	sampled, drawn := r.sizes[t] != nil, r.drawn
	return tea.Batch(r.tickLater(), safely(func() tea.Msg {
		go func() {
			select { // the first screen has the processors for itself
			case <-drawn:
			case <-time.After(headStart):
			case <-ctx.Done():
			}
			c.count(run, sampled)
		}()
		return c.next()
	}))
}

func (r *root) stopCounting() {
	if r.counting != nil {
		r.counting.stop()
		r.counting = nil
	}
}

// arrive shows what a thread was sized to.
func (msg measured) arrive(r *root) tea.Cmd {
	if msg.of != r.counting {
		return nil
	}
	var more tea.Cmd
	if msg.sample {
		more = msg.of.next
	} else {
		r.stopCounting()
	}
	if msg.err != nil { // figures stay estimates, and say so
		r.note, r.noteText = "figures stay estimates: ", r.cfg.Gate.Line(oneLine(msg.err.Error()))
		return more
	}
	r.sizes[msg.of.thread] = msg.sizes
	return tea.Batch(r.form(), more)
}

// count counts, and tells what there is to tell.
func (c *counting) count(run *model.Run, sampled bool) {
	defer func() {
		if p := recover(); p != nil {
			c.tell(crashMsg{crashError(p)})
		}
	}()
	if !sampled && storedBytes(c.thread) >= sampleFrom {
		sizes, err := curate.Sample(c.ctx, run, c.thread, tokens.For(c.thread.LastModel()))
		if err == nil {
			c.tell(measured{of: c, sizes: sizes, sample: true})
		}
	}
	sizes, err := curate.MeasureFor(c.ctx, run, c.thread, func(done, all int64) {
		c.percent.Store(int32(100 * done / max(all, 1)))
	})
	c.tell(measured{of: c, sizes: sizes, err: err})
}

func (c *counting) tell(msg tea.Msg) {
	select {
	case c.events <- msg:
	case <-c.ctx.Done():
	}
}

// next is the command that ends with the next news.
func (c *counting) next() tea.Msg {
	select {
	case msg := <-c.events:
		return msg
	case <-c.ctx.Done():
		return nil
	}
}

// countAtOnce is the size in bytes of the largest thread a person waits for.
const countAtOnce = 16 << 20

// sizesAtOnce counts a thread, or samples a big one.
func sizesAtOnce(ctx context.Context, run *model.Run, t *model.Thread) (*curate.Sizes, error) {
	if storedBytes(t) > countAtOnce {
		return curate.Sample(ctx, run, t, tokens.For(t.LastModel()))
	}
	return curate.MeasureFor(ctx, run, t, nil)
}

func storedBytes(t *model.Thread) (n int64) {
	for i := range t.Len() {
		n += t.At(i).StoredBytes()
	}
	return n
}
