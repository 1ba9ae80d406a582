package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// startGC lets the heap grow to 12 MB, three times the runtime's minimum, before the first collection. Most memory
// allocated at start stays in use, so an earlier collection costs more than it frees.
const startGC = 300

// collectLater postpones the first garbage collection and restores the usual heap growth after it. It does nothing
// when GOGC is set.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(startGC)
	// This object has no owner, so the first collection runs its cleanup.
	runtime.AddCleanup(&struct{ _ [64]byte }{}, func(usual int) {
		if now := debug.SetGCPercent(usual); now != startGC { // other code changed the setting in between
			debug.SetGCPercent(now)
		}
	}, usual)
}

// heapLimit is the size in bytes below which garbage is collected only as the heap grows. A large run allocates
// several times what it keeps, so beyond the limit collections are more frequent.
const heapLimit = 112 << 20

// boundHeap keeps memory close to what is in use, unless GOMEMLIMIT is set. Each collection sets the limit for the
// next: heapLimit, or three quarters more than what is in use.
func boundHeap() {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	debug.SetMemoryLimit(heapLimit)
	afterCollection()
}

// afterCollection sets the limit after the next collection and registers itself again.
func afterCollection() {
	runtime.AddCleanup(&struct{ _ [64]byte }{}, func(struct{}) {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		live := int64(sample[0].Value.Uint64())
		debug.SetMemoryLimit(max(heapLimit, live+live/4*3))
		afterCollection()
	}, struct{}{})
}
