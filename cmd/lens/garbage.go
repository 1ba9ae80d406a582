package main

import (
	"os"
	"runtime"
	"runtime/debug"
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
