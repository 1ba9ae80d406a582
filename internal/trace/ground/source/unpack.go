package source

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Bounds of the unpacked size of a source. Up to fairSize bytes every source is unpacked, because
// request logs that repeat their prompt shrink to a thousandth. Beyond that, a source of more than
// maxRatio times its packed size, or of more than maxUnpacked bytes, needs the consent of the
// user; see [Access]. No source may take the last spareSpace bytes of the disk.
const (
	fairSize    = 1 << 30
	maxRatio    = 200
	maxUnpacked = 8 << 30
	spareSpace  = 256 << 20
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
	if err := f.Unpack(f.Context()); err != nil { // the whole source is already in memory
		f.Close()
		return nil, err
	}
	return f, nil
}

// decompressor returns what removes a layer of a source that begins with head: compression, or UTF-16. It returns
// nil if there is none.
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
	return newUTF16(head)
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

// errTooMuch reports a source that unpacks to more than a bound.
var errTooMuch = errors.New("it unpacks to more than")

// spool stores a stream in memory if it is small, else in a temporary file that is deleted
// while open. After a failed read, f holds what precedes the error. from is the size of the
// packed stream, or 0.
func (f *File) spool(ctx context.Context, in io.Reader, from int64) error {
	bound := &bounded{ctx: ctx, in: in, path: f.Path, from: from}
	in = bound
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
	if free := freeSpace(os.TempDir()); free < math.MaxInt64-inMemory {
		bound.space = max(free-spareSpace, 0) + inMemory
	}
	f.size, err = io.Copy(tmp, io.MultiReader(&buf, in))
	return err
}

// bounded is a stream that ends with its context or at a bound of its size.
type bounded struct {
	ctx        context.Context
	in         io.Reader
	path       string
	from, read int64
	space      int64 // the bytes that fit on the disk, or 0 if unknown
	allowed    bool  // the user agreed to any size
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.in.Read(p)
	b.read += int64(n)
	if b.space > 0 && b.read > b.space {
		return n, fmt.Errorf("%w the %d MiB that are free in %s: set TMPDIR to a folder with more space", errTooMuch, b.space>>20, os.TempDir())
	}
	if size, why := b.bound(); why != "" && !b.allowed {
		large := AccessOf(b.ctx).Large
		if large == nil || !large(b.path, b.from, size) {
			return n, fmt.Errorf("%w %d GiB%s: add --large if you trust the file", errTooMuch, size>>30, why)
		}
		b.allowed = true
	}
	return n, err
}

// bound returns the bound that the stream exceeds, and why it is one.
func (b *bounded) bound() (size int64, why string) {
	switch {
	case b.from > 0 && b.read > fairSize && b.read > maxRatio*b.from:
		return max(fairSize, b.read>>30<<30), fmt.Sprintf(", %d times its size", b.read/b.from)
	case b.read > maxUnpacked:
		return maxUnpacked, ", the most that is read without asking"
	}
	return 0, ""
}
