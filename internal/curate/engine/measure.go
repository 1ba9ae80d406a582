package engine

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"agentlens/internal/curate/tokens"
	"agentlens/internal/model"
)

// Measure sizes a thread with a counter. It reads every text once.
func Measure(ctx context.Context, run *model.Run, t *model.Thread, c tokens.Counter) (*Sizes, error) {
	return MeasureSteps(ctx, run, t, c, nil)
}

// MeasureSteps is like [Measure] but suits background work: it reports progress in bytes after
// every quarter of a megabyte, and returns early with the error of ctx. progress is called by one goroutine at a time.
func MeasureSteps(ctx context.Context, run *model.Run, t *model.Thread, c tokens.Counter, progress func(done, all int64)) (*Sizes, error) {
	s := &Sizes{Exact: c.Exact(), Method: c.Name(), counter: c}
	if progress == nil {
		progress = func(done, all int64) {}
	}
	var all int64
	for i := range t.Len() {
		all += t.At(i).StoredBytes()
	}
	if !s.load(run, t) {
		s.Tokens, s.Runes = make([]int32, t.Len()), make([]int32, t.Len())
		m := &measuring{sizes: s, run: run, thread: t, progress: func(done int64) { progress(done, all) }}
		if err := m.each(ctx); err != nil {
			return nil, err
		}
		if run.Kept != nil {
			run.Kept.Save(run, t, s.Method, s.Tokens, s.Runes)
		}
	}
	progress(all, all)
	return s, nil
}

// A measuring sizes the messages of a thread on all processors, in blocks and nearly in the order of the file.
type measuring struct {
	sizes    *Sizes
	run      *model.Run
	thread   *model.Thread
	progress func(done int64)

	mu             sync.Mutex
	next           int   // the first message of the next block
	done, reported int64 // bytes
	failed         int   // the message with err
	err            error
}

// measuredBlock is the number of messages that a goroutine sizes between two looks at the others.
const measuredBlock = 64

func (m *measuring) each(ctx context.Context) error {
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), m.thread.Len()/measuredBlock) - 1 {
		wait.Go(func() { m.blocks(ctx) })
	}
	m.blocks(ctx)
	wait.Wait()
	return m.err
}

// blocks sizes blocks until none is left or a message fails. Of several failures, the first message counts.
func (m *measuring) blocks(ctx context.Context) {
	for {
		m.mu.Lock()
		from := m.next
		to := min(from+measuredBlock, m.thread.Len())
		if m.err != nil {
			to = from
		}
		m.next = to
		m.mu.Unlock()
		if from == to {
			return
		}
		at, done, err := m.block(ctx, from, to)
		m.mu.Lock()
		if err != nil && (m.err == nil || at < m.failed) {
			m.failed, m.err = at, err
		}
		const every = 1 << 18
		if m.done += done; m.done-m.reported >= every {
			m.reported = m.done
			m.progress(m.done)
		}
		m.mu.Unlock()
	}
}

// block sizes some messages. It returns where it ended and the stored bytes of those that it sized.
func (m *measuring) block(ctx context.Context, from, to int) (i int, done int64, err error) {
	for i = from; i < to; i++ {
		if err = ctx.Err(); err == nil {
			err = m.sizes.measure(m.run, m.thread, i)
		}
		if err != nil {
			return i, done, err
		}
		done += m.thread.At(i).StoredBytes()
		runtime.Gosched() // the screen has priority
	}
	return i, done, nil
}

// load takes the sizes from those that were kept, if the texts are the same.
func (s *Sizes) load(run *model.Run, t *model.Thread) (ok bool) {
	if run.Kept != nil {
		s.Tokens, s.Runes, ok = run.Kept.Load(run, t, s.Method)
	}
	return ok
}

// measure sizes message i from its text.
func (s *Sizes) measure(run *model.Run, t *model.Thread, i int) error {
	m := t.At(i)
	counted := 0
	err := run.ReadText(m, func(text string) {
		s.Runes[i] = int32(tokens.Runes(text))
		counted = s.counter.Count(text)
	})
	if err != nil {
		return fmt.Errorf("count message %d: %w", i+1, err)
	}
	rest, err := restOf(run, m)
	if err != nil {
		return fmt.Errorf("count message %d: %w", i+1, err)
	}
	s.Tokens[i] = s.size(counted + s.counter.Count(rest))
	return nil
}

// restOf returns the content sent besides the text: thinking and calls.
func restOf(run *model.Run, m *model.Message) (string, error) {
	if len(m.Calls) == 0 && !m.HasThinking() {
		return "", nil
	}
	thinking, err := run.Thinking(m)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(thinking)
	for i := range m.Calls {
		args, err := run.Body(m.Calls[i].Args)
		if err != nil {
			return "", err
		}
		b.WriteString(m.Calls[i].Name)
		b.WriteString(args)
	}
	return b.String(), nil
}
