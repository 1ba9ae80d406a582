package places

import "encoding/binary"

// An encoder appends values to b.
type encoder struct{ b []byte }

func (e *encoder) number(n int64) { e.b = binary.AppendVarint(e.b, n) }

func (e *encoder) count(n int) { e.b = binary.AppendUvarint(e.b, uint64(n)) }

func (e *encoder) text(s string) {
	e.count(len(s))
	e.b = append(e.b, s...)
}

func (e *encoder) flag(set bool) {
	if set {
		e.b = append(e.b, 1)
	} else {
		e.b = append(e.b, 0)
	}
}

// A decoder reads from b what an encoder wrote. After a failure, all values are zero.
type decoder struct {
	b      []byte
	failed bool
}

func (d *decoder) fail() { d.b, d.failed = nil, true }

func (d *decoder) number() int64 {
	n, size := binary.Varint(d.b)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[size:]
	return n
}

func (d *decoder) count() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[size:]
	return n
}

// length reads the length of a list whose items have at least the given number of bytes.
func (d *decoder) length(least int) int {
	n := d.count()
	if n > uint64(len(d.b)/least) {
		d.fail()
		return 0
	}
	return int(n)
}

// below reads a number that is less than a limit.
func (d *decoder) below(limit int) int {
	n := d.count()
	if n >= uint64(limit) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) bytes() []byte { return d.take(d.length(1)) }

// take returns the next n bytes, of which there are enough.
func (d *decoder) take(n int) []byte {
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) text() string { return string(d.bytes()) }

func (d *decoder) flag() bool { return d.below(2) == 1 }
