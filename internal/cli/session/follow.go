package session

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"
	"weak"

	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/ground/source"
)

// followEvery is how often a followed source is looked at.
const followEvery = 250 * time.Millisecond

// A Follower loads a run again and again as its source grows. A source is opened
// anew for each look. The last two stay open, since the screen goes from one to the
// other while it may read from both; an older one stays open for as long as something
// on the screen, a message that was opened say, holds its run.
type Follower struct {
	Path, Id string
	Src      *trace.Source // the first, opened already; nil once it was loaded
	open     []loaded      // the last one last
	seen     fileState
	onDisk   bool // it was, at some time
}

// A loaded is a source that was loaded, and what was made of it.
type loaded struct {
	src *trace.Source
	run weak.Pointer[model.Run] // nil once nobody holds it
}

// mostOpen is how many sources are open, held or not, before garbage is collected to
// learn which of them are still held.
const mostOpen = 4

// A fileState is what the files of a source are like at a moment.
type fileState struct {
	size, log   int64
	time, later time.Time
}

func stateOf(path string) (l fileState) {
	if info, err := os.Stat(path); err == nil {
		l.size, l.time = info.Size(), info.ModTime()
	}
	if info, err := os.Stat(path + "-wal"); err == nil {
		l.log, l.later = info.Size(), info.ModTime()
	}
	return l
}

func (f *Follower) Load(ctx context.Context, opt source.Options) (*model.Run, error) {
	f.seen = stateOf(f.Path)
	f.onDisk = f.onDisk || f.seen != fileState{}
	src := f.Src
	f.Src = nil
	if src == nil {
		_, err := os.Stat(f.Path)
		if f.onDisk && err != nil {
			return nil, fmt.Errorf(readAgain, f.Path, err)
		}
		if src, err = trace.Open(ctx, f.Path); err != nil {
			return nil, err
		}
	}
	run, err := src.Load(ctx, f.Id, opt)
	if err != nil {
		src.Close()
		return nil, err
	}
	given := *run // the reader of the source may keep its own
	f.open = append(f.open, loaded{src, weak.Make(&given)})
	f.closeOld()
	return &given, nil
}

// closeOld closes the sources before the last two whose runs nobody holds.
func (f *Follower) closeOld() {
	if len(f.open) > mostOpen {
		runtime.GC()
	}
	last := max(len(f.open)-2, 0)
	left := slices.DeleteFunc(slices.Clone(f.open[:last]), func(r loaded) bool {
		free := r.run.Value() == nil
		if free {
			r.src.Close()
		}
		return free
	})
	f.open = append(left, f.open[last:]...)
}

// Close closes all of them, once there is no screen any more.
func (f *Follower) Close() {
	for _, r := range f.open {
		r.src.Close()
	}
}

// Changed waits until the source is not what it was when it was loaded, or is gone, or
// there again.
func (f *Follower) Changed(ctx context.Context) bool {
	if !f.onDisk {
		return false // standard input, the built-in run
	}
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
			if stateOf(f.Path) != f.seen {
				return true
			}
		}
	}
}
