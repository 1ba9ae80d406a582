package session

import (
	"context"
	"io"

	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// stdinName is what standard input is called where a path would stand: an id behind
// it names one of its runs, since "-#id" would be a flag.
const stdinName = "standard input"

// standardInput opens what comes in on standard input. It comes but once, so that the
// source is kept for whoever asks again.
func (s *Session) standardInput(ctx context.Context) (*trace.Source, error) {
	if s.stdin != nil {
		return s.stdin, nil
	}
	f, err := source.FromReader(stdinName, CancelReader(ctx, s.In))
	if err != nil {
		return nil, err
	}
	src, err := trace.OpenFile(ctx, f)
	s.stdin, _, err = s.keep(src, "", err)
	return s.stdin, err
}

func (s *Session) keep(src *trace.Source, id string, err error) (*trace.Source, string, error) {
	if err != nil {
		return nil, "", err
	}
	s.opened = append(s.opened, src)
	return src, id, nil
}

// cancelReader is a reader whose Read returns when ctx ends, also while the one
// beneath it waits: a pipe nobody writes to must not hold an interrupt back.
type cancelReader struct {
	ctx  context.Context
	from io.Reader
	buf  []byte // what Read fills while it may still be waited for
	got  chan readResult
}

type readResult struct {
	n   int
	err error
}

func CancelReader(ctx context.Context, from io.Reader) *cancelReader {
	return &cancelReader{ctx: ctx, from: from, buf: make([]byte, 64<<10), got: make(chan readResult, 1)}
}

func (r *cancelReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	go func() {
		n, err := r.from.Read(r.buf[:min(len(p), len(r.buf))])
		r.got <- readResult{n, err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case c := <-r.got:
		return copy(p, r.buf[:c.n]), c.err
	}
}
