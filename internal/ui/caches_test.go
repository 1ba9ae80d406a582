package ui

import "testing"

// What the store counts is what it keeps, also of what was laid out.
func TestStoreCountsLines(t *testing.T) {
	d := open(t, 120, 36).Press("+")
	for _, w := range []int{80, 90, 100, 110, 130, 120} {
		d.Resize(w, 36).Screen()
	}
	sum, lines := 0, 0
	for _, h := range d.r.store.held {
		sum += h.bytes
		for _, w := range h.wrapped {
			lines += len(w.lines)
		}
	}
	if lines == 0 || sum != d.r.store.bytes || sum < lines*lineBytes {
		t.Errorf("%d bytes are counted, %d are held, %d of them lines", d.r.store.bytes, sum, lines*lineBytes)
	}
}
