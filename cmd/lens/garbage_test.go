package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// TestCollectLater checks that only the first collection is late, and that a value set before it is kept.
func TestCollectLater(t *testing.T) {
	const usual, other = 90, 250
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	for _, tt := range []struct {
		name        string
		env         string
		meanwhile   int // GC percentage set before the first collection; 0 sets none
		first, then int
	}{
		{"by itself", "", 0, startGC, usual},
		{"set since", "", other, other, other},
		{"the environment's", "90", 0, usual, usual},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("GOGC", tt.env)
			debug.SetGCPercent(usual)
			collectLater()
			if tt.meanwhile > 0 {
				debug.SetGCPercent(tt.meanwhile)
			}
			if got := gcPercent(); got != tt.first {
				t.Errorf("before the first collection: %d, want %d", got, tt.first)
			}
			for end := time.Now().Add(10 * time.Second); time.Now().Before(end) && gcPercent() != tt.then; {
				runtime.GC()
				time.Sleep(time.Millisecond) // cleanups run in another goroutine
			}
			if got := gcPercent(); got != tt.then {
				t.Errorf("after it: %d, want %d", got, tt.then)
			}
		})
	}
}

func gcPercent() int {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}
