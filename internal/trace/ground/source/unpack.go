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

// Bounds of the unpacked size of a source: maxUnpacked bytes, and maxRatio times its packed
// size beyond fairSize bytes. Logs shrink to a twentieth; a file that shrinks to a thousandth
// is probably malicious.
const (
	maxUnpacked = 8 << 30
	fairSize    = 256 << 20
	maxRatio    = 200
)

// likelyRatio is the expected ratio of unpacked to packed size.
const likelyRatio = 8

// maxLayers bounds the layers of compression of a source.
const maxLayers = 2

// inMemory is the largest unpacked size that is kept in memory. Larger sources use a
// temporary file.
const inMemory = 64 << 20

// packed is a compressed source of which only the head is unpacked, which is enough to
// identify it. Unpack reads the rest on demand.
type packed struct {
	rest   io.Reader
	layers []io.Closer
}

func (p *packed) close() {
	for _, c := range p.layers {
		c.Close()
	}
}

// unwrap reads the head through all layers of compression.
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
	if err := f.Unpack(context.Background()); err != nil { // the whole source is already in memory
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

// Unpack unpacks the rest of a compressed source. Reading does so implicitly; calling Unpack
// first makes it end with ctx. It is not safe for concurrent use until it has returned once.
func (f *File) Unpack(ctx context.Context) error {
	p := f.packed
	if p == nil {
		return nil
	}
	inner := &File{Path: f.Path}
	err := inner.spool(ctx, io.MultiReader(bytes.NewReader(f.Head), p.rest), f.size)
	if err != nil && inner.size > 0 && inner.r != nil && ctx.Err() == nil && !errors.Is(err, errTooMuch) {
		f.Cut, err = err, nil // show what precedes the error
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

// spool stores a stream in memory if it is small, else in a temporary file that is deleted
// while open. After a failed read, f holds what precedes the error. from is the size of the
// packed stream, or 0.
func (f *File) spool(ctx context.Context, in io.Reader, from int64) error {
	in = &bounded{ctx: ctx, in: in, from: from}
	f.close = func() error { return nil }
	var buf bytes.Buffer
	buf.Grow(int(min(likelyRatio*from, inMemory/8)))
	n, err := io.Copy(&buf, io.LimitReader(in, inMemory))
	if err != nil || n < inMemory {
		f.r, f.size = bytes.NewReader(buf.Bytes()), n
		if n <= blockLen {
			f.Head = buf.Bytes() // no larger than one read
		}
		return err
	}
	tmp, err := os.CreateTemp("", "lens-*")
	if err != nil {
		return err
	}
	f.close = func() error { tmp.Close(); return os.Remove(tmp.Name()) }
	if os.Remove(tmp.Name()) == nil { // fails on Windows, where an open file keeps its name
		f.close = tmp.Close
	}
	f.r = tmp
	f.size, err = io.Copy(tmp, io.MultiReader(&buf, in))
	return err
}

// bounded is a stream that ends with its context or at the size limit.
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
