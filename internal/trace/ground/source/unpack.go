package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Bounds of what a compressed source may unpack to: no more than maxUnpacked
// bytes, and beyond fairSize no more than maxRatio times its own size. Logs
// shrink to a twentieth; what shrinks to a thousandth was made to do harm.
const (
	maxUnpacked = 8 << 30
	fairSize    = 256 << 20
	maxRatio    = 200
)

// likelyRatio is what most sources unpack to, in their own size.
const likelyRatio = 8

// maxLayers is how often a source may be compressed over.
const maxLayers = 2

// inMemory is the largest unpacked size that is not spilled to a temporary file.
const inMemory = 64 << 20

// packed is a compressed source of which only the head was unpacked: enough to
// tell what it is. The rest waits until somebody wants it.
type packed struct {
	rest   io.Reader
	layers []io.Closer
}

func (p *packed) close() {
	for _, c := range p.layers {
		c.Close()
	}
}

// unwrap reads the head, through the layers of compression there are.
func (f *File) unwrap() (*File, error) {
	if err := f.readHead(); err != nil {
		f.Close()
		return nil, err
	}
	p := &packed{rest: io.NewSectionReader(f.r, 0, f.size)}
	for unpack := decompressor(f.Head); unpack != nil; {
		if len(p.layers) == maxLayers {
			p.close()
			f.Close()
			return nil, &UnreadableError{Path: f.Path, Err: errors.New("compressed more than twice over")}
		}
		layer, err := unpack(p.rest)
		if err != nil {
			p.close()
			f.Close()
			return nil, &UnreadableError{Path: f.Path, Err: fmt.Errorf("unpack: %w", err)}
		}
		in := bufio.NewReader(layer)
		p.rest, p.layers = in, append(p.layers, layer)
		magic, _ := in.Peek(4)
		unpack = decompressor(magic)
	}
	if len(p.layers) == 0 {
		return f, nil
	}
	f.Head = make([]byte, HeadLen)
	n, err := io.ReadFull(p.rest, f.Head)
	f.Head = f.Head[:n]
	f.packed = p
	if err == nil {
		return f, nil
	}
	if err := f.Unpack(context.Background()); err != nil { // all of it is at hand
		f.Close()
		return nil, err
	}
	return f, nil
}

func decompressor(head []byte) func(io.Reader) (io.ReadCloser, error) {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return func(r io.Reader) (io.ReadCloser, error) {
			d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
			if err != nil {
				return nil, err
			}
			return d.IOReadCloser(), nil
		}
	}
	return nil
}

// Unpack unpacks the rest of a compressed source. Whoever reads from it needs
// this and gets it; calling it before lets ctx end it. It is not safe for use
// by several goroutines until it has returned once.
func (f *File) Unpack(ctx context.Context) error {
	p := f.packed
	if p == nil {
		return nil
	}
	inner := &File{Path: f.Path}
	err := inner.spool(ctx, io.MultiReader(bytes.NewReader(f.Head), p.rest), f.size)
	if err != nil && inner.size > 0 && inner.r != nil && ctx.Err() == nil && !errors.Is(err, errTooMuch) {
		f.Cut, err = err, nil // what came out before the fault is shown
	}
	if err != nil {
		inner.Close()
		return &UnreadableError{Path: f.Path, Err: fmt.Errorf("unpack: %w", err)}
	}
	p.close()
	f.close()
	f.packed, f.r, f.size, f.close = nil, inner.r, inner.size, inner.close
	if inner.Head != nil {
		f.Head = inner.Head
	}
	return nil
}

var errTooMuch = errors.New("it unpacks to more than is sound")

// spool keeps a stream: in memory when it is small, else in a temporary file
// that has no name any more once it is open. After a failed read f holds what
// came before. from is the size of what the stream is unpacked from, 0 for none.
func (f *File) spool(ctx context.Context, in io.Reader, from int64) error {
	in = &bounded{ctx: ctx, in: in, from: from}
	f.close = func() error { return nil }
	var buf bytes.Buffer
	buf.Grow(int(min(likelyRatio*from, inMemory/8)))
	n, err := io.Copy(&buf, io.LimitReader(in, inMemory))
	if err != nil || n < inMemory {
		f.r, f.size = bytes.NewReader(buf.Bytes()), n
		if n <= blockLen {
			f.Head = buf.Bytes() // no larger than what is read at a time
		}
		return err
	}
	tmp, err := os.CreateTemp("", "lens-*")
	if err != nil {
		return err
	}
	f.close = func() error { tmp.Close(); return os.Remove(tmp.Name()) }
	if os.Remove(tmp.Name()) == nil { // not on Windows, where an open file keeps its name
		f.close = tmp.Close
	}
	f.r = tmp
	f.size, err = io.Copy(tmp, io.MultiReader(&buf, in))
	return err
}

// bounded is a stream that ends with its context, or when it brings too much.
type bounded struct {
	ctx        context.Context
	in         io.Reader
	from, read int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.in.Read(p)
	b.read += int64(n)
	switch {
	case b.read > maxUnpacked:
		return n, fmt.Errorf("%w: over %d GiB", errTooMuch, int64(maxUnpacked)>>30)
	case b.from > 0 && b.read > fairSize && b.read > maxRatio*b.from:
		return n, fmt.Errorf("%w: over %d times its size", errTooMuch, maxRatio)
	}
	return n, err
}
