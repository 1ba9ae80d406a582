package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// startGC lets the heap grow to three times the least there is before the first
// collection, to 12 MB: most of what a start allocates stays, so that
// a collection then costs more than it frees.
const startGC = 300

// collectLater puts the first collection off, and has the heap grow from then on as
// usual. GOGC, where it is set, holds as always.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(startGC)
	// The first collection finds this without an owner.
	runtime.AddCleanup(&struct{ _ [64]byte }{}, func(usual int) {
		if now := debug.SetGCPercent(usual); now != startGC { // somebody has set it since
			debug.SetGCPercent(now)
		}
	}, usual)
}
