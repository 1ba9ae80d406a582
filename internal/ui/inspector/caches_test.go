package inspector

import (
	"testing"

	"agentlens/internal/ui/view"
)

// The store counts all bytes that it holds, including wrapped lines.
func TestStoreCountsLines(t *testing.T) {
	d := open(t, 120, 36).Press("+")
	for _, w := range []int{80, 90, 100, 110, 130, 120} {
		d.Resize(w, 36).Screen()
	}
	sum, lines := 0, 0
	for _, h := range d.r.store.Entries {
		sum += h.Bytes
		for _, w := range h.Wrapped {
			lines += len(w.Lines)
		}
	}
	if lines == 0 || sum != d.r.store.Bytes || sum < lines*view.LineBytes {
		t.Errorf("%d bytes are counted, %d are held, %d of them lines", d.r.store.Bytes, sum, lines*view.LineBytes)
	}
}
