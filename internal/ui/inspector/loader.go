package inspector

import (
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/model"
	"agentlens/internal/safe"
	"agentlens/internal/trace/ground/source"
	"agentlens/internal/ui/job"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// progressAfter is how long a load may take before its progress is shown.
const progressAfter = 500 * time.Millisecond

// headStart is how long reading waits once there is something to draw: the first
// screen has the processors for itself.
const headStart = 30 * time.Millisecond

// A loader reads the run in the background. Its head comes early, all of it at
// the end, both as messages from events.
type loader struct {
	events      chan tea.Msg
	began       time.Time
	done, total atomic.Int64
	every       time.Duration // how often its progress is looked at
	pause       time.Duration // after a head
}

func newLoader() *loader {
	return &loader{events: make(chan tea.Msg, 2), began: time.Now(), every: 400 * time.Millisecond, pause: headStart}
}

// sceneMsg is a run, or its head, ready for the screen.
type sceneMsg struct {
	scene *view.Labels
	last  bool // all of it: no other comes
}

// loadFailed says why there is nothing to show.
type loadFailed struct{ err error }

// Load starts reading.
func (r *inspector) Load() tea.Cmd {
	ld, gate, ctx, read := r.loads, r.cfg.Gate, r.ctx, r.cfg.Load
	go func() {
		defer func() {
			if p := recover(); p != nil {
				ld.events <- job.Crashed{Err: job.NewCrash(p)}
			}
		}()
		run, err := read(ctx, source.Options{
			Progress: func(done, total int64) { ld.done.Store(done); ld.total.Store(total) },
			Head: func(head *model.Run) {
				select {
				case ld.events <- sceneMsg{view.NewLabels(head, gate), false}:
					time.Sleep(ld.pause)
				default: // an earlier head still waits: one is enough
				}
			},
		})
		switch {
		case err != nil:
			ld.events <- loadFailed{err}
		case run == nil:
			ld.events <- loadFailed{fmt.Errorf("%s: no run was found in it", r.cfg.Name)}
		default:
			ld.events <- sceneMsg{view.NewLabels(run, gate), true}
		}
	}()
	return tea.Batch(ld.wait(), r.tickLater())
}

// changedMsg says that the source is not what it was.
type changedMsg struct{}

// watch waits for the source to change, where it is followed.
func (r *inspector) watch() tea.Cmd {
	changed, ctx := r.cfg.Changed, r.ctx
	if changed == nil {
		return nil
	}
	return job.Safely(func() tea.Msg {
		if !changed(ctx) {
			return nil
		}
		return changedMsg{}
	})
}

// wait is a command that ends with the next event. It is asked for again after
// each but the last.
func (ld *loader) wait() tea.Cmd {
	return func() tea.Msg { return <-ld.events }
}

// progressLine says how far the load is, once it takes long.
func (r *inspector) progressLine(l *kit.LineWriter) {
	ld := r.loads
	took := time.Since(ld.began)
	if took < progressAfter {
		l.Words("…", kit.Faint)
		return
	}
	done, total := ld.done.Load(), ld.total.Load()
	l.Words(" reading ", kit.Dim)
	l.Safe(r.name, kit.Title)
	if done == 0 {
		return
	}
	l.Words(" · ", kit.Faint)
	l.Words(kit.BytesOf(done), kit.Title)
	if total > 0 {
		l.Words(" of ", kit.Dim)
		l.Words(kit.BytesOf(total), kit.Title)
	}
	speed := float64(done) / took.Seconds()
	l.Words(" · ", kit.Faint)
	l.Words(kit.BytesOf(int64(speed))+"/s", kit.Dim)
	if total > done && speed > 0 {
		left := time.Duration(float64(total-done) / speed * float64(time.Second)).Round(time.Second)
		l.Words(" · ", kit.Faint)
		l.Words(r.Gated(left.String())+" left", kit.Dim)
	}
}

// takeLoaded shows a run, or its head.
func (r *inspector) takeLoaded(msg sceneMsg) tea.Cmd {
	if r.note == sourceGone {
		r.note = ""
	}
	if msg.last {
		return tea.Batch(r.takeScene(msg), r.watch())
	}
	if r.Labels != nil && !r.Labels.Run.Partial { // a followed source is read anew: its head is old news
		return r.loads.wait()
	}
	return tea.Batch(r.takeScene(msg), r.loads.wait())
}

// sourceGone says that there is nothing to read anew.
const sourceGone = "the file is gone: what was read stays"

// takeLoadError says why the run, or what changed of it, could not be read.
func (r *inspector) takeLoadError(err error) tea.Cmd {
	if r.Labels != nil && errors.Is(err, fs.ErrNotExist) {
		r.note, r.noteText = sourceGone, safe.Safe{}
		return r.watch()
	}
	if r.Labels != nil && r.cfg.Changed != nil { // it may be in the middle of a write
		r.Fail("the source changed and could not be read: ", err)
		return r.watch()
	}
	r.loadErr, r.loadText = err, r.cfg.Gate.Line(kit.OneLine(err.Error()))
	return nil
}

// brokenLine says that the beginning of the run is all there is to be seen.
func (r *inspector) brokenLine(l *kit.LineWriter) {
	l.Words(" only the beginning could be read: ", kit.Failure)
	l.Safe(r.loadText, kit.Failure)
}
