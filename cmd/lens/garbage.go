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
const heapLimit = 48 << 20

// Shares of the processor time for collections: below seldom, the heap may grow by a fifth until the next
// collection, and above often by three quarters.
const (
	seldom = 0.08
	often  = 0.25
)

// boundHeap keeps memory close to what is in use, unless GOMEMLIMIT is set. Each collection sets the limit for the
// next: heapLimit, or what is in use and some more. How much more depends on what the collections cost so far: a
// command that keeps most of what it allocates, as during the load of a run, is collected often at little cost.
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
		samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/user:cpu-seconds"}}
		metrics.Read(samples)
		live := float64(samples[0].Value.Uint64())
		debug.SetMemoryLimit(max(heapLimit, int64(live*(1+room(samples[1].Value.Float64(), samples[2].Value.Float64())))))
		afterCollection()
	}, struct{}{})
}

// room returns how much the heap may grow until the next collection, as a share of what is in use. gc and other
// are the processor times in seconds of collections and of the rest so far.
func room(gc, other float64) float64 {
	const least, most = 0.2, 0.75
	share := gc / max(gc+other, 1e-9)
	return least + (most-least)*min(max((share-seldom)/(often-seldom), 0), 1)
}
