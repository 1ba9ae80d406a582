package cli

import (
	"context"
	"io"
)

// untilDone is a reader whose Read returns when ctx ends, also while the one
// beneath it waits: a pipe nobody writes to must not hold an interrupt back.
type untilDone struct {
	ctx  context.Context
	from io.Reader
	buf  []byte // what Read fills while it may still be waited for
	got  chan count
}

type count struct {
	n   int
	err error
}

func newUntilDone(ctx context.Context, from io.Reader) *untilDone {
	return &untilDone{ctx: ctx, from: from, buf: make([]byte, 64<<10), got: make(chan count, 1)}
}

func (r *untilDone) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	go func() {
		n, err := r.from.Read(r.buf[:min(len(p), len(r.buf))])
		r.got <- count{n, err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case c := <-r.got:
		return copy(p, r.buf[:c.n]), c.err
	}
}
