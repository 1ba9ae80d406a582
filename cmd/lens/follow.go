package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"agentlens/internal/model"
	"agentlens/internal/trace"
	"agentlens/internal/trace/source"
)

// followEvery is how often a followed source is looked at.
const followEvery = 250 * time.Millisecond

// A follower loads a run again and again as its source grows. A source is opened
// anew for each look; the one before stays open, since the screen still reads
// texts from it, and the one before that is closed.
type follower struct {
	app      *app
	path, id string
	src      *trace.Source // the first, opened already; nil once it was loaded
	last     *trace.Source
	seen     look
	onDisk   bool // it was, at some time
}

// A look is what the files of a source are like at a moment.
type look struct {
	size, log   int64
	time, later time.Time
}

func lookAt(path string) (l look) {
	if info, err := os.Stat(path); err == nil {
		l.size, l.time = info.Size(), info.ModTime()
	}
	if info, err := os.Stat(path + "-wal"); err == nil {
		l.log, l.later = info.Size(), info.ModTime()
	}
	return l
}

func (f *follower) load(ctx context.Context, opt source.Options) (*model.Run, error) {
	f.seen = lookAt(f.path)
	f.onDisk = f.onDisk || f.seen != look{}
	src := f.src
	f.src = nil
	if src == nil {
		_, err := os.Stat(f.path)
		if f.onDisk && err != nil {
			return nil, fmt.Errorf("read %s again: %w", f.path, err)
		}
		if src, err = trace.Open(ctx, f.path); err != nil {
			return nil, err
		}
	}
	run, err := src.Load(ctx, f.id, opt)
	if err != nil {
		src.Close()
		return nil, err
	}
	if old := f.last; old != nil {
		time.AfterFunc(time.Minute, func() { old.Close() })
	}
	f.last = src
	return run, nil
}

// changed waits until the source is not what it was when it was loaded, or is gone, or
// there again.
func (f *follower) changed(ctx context.Context) bool {
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
			if lookAt(f.path) != f.seen {
				return true
			}
		}
	}
}
