package inspector

import (
	"runtime"
	"testing"

	"agentlens/internal/ui/uitest"
)

// TestKeysDoNotGrow counts the memory that Update takes for a key, without the jobs that it starts. It must not grow
// with the thread.
func TestKeysDoNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing in it runs at once: left out with -short")
	}
	short, long := longDriver(t, 500), longDriver(t, 8_000)
	for _, k := range []string{"G", "g", "pgdown", "]", "[", "}", "{", "c", "T", "T", "d", "esc", "i", "esc", "C", "esc", "/", "esc", "f", "esc", "s", "esc", "0", "esc", "space", "enter", "esc", "|", "|", "z", "z", "b", "%"} {
		first, second := allocated(short, k), allocated(long, k)
		if second > 2*first+256<<10 {
			t.Errorf("%s takes %d KB of 500 messages and %d KB of 8,000", k, first>>10, second>>10)
		}
	}
}

// allocated returns the bytes that Update allocates for a key. It then lets the jobs end.
func allocated(d *driver, key string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, cmd := d.r.Update(uitest.Key(key))
	runtime.ReadMemStats(&after)
	d.queue = append(d.queue, cmd)
	for len(d.queue) > 0 {
		d.Take()
	}
	return after.TotalAlloc - before.TotalAlloc
}
