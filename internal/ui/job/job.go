// Package job runs work away from the frame and drops answers that come too late.
//
// A [Job] is one start of the work of a [Key]. Starting a key again cancels the job
// before it, and the answer of that job is dropped: its token is not the newest of its
// key. No other code decides whether an answer is late.
//
// The package must never touch the state of a screen. Work runs on its own goroutine and
// returns a function that takes its result over; [Jobs.Take] calls it on the goroutine of
// the program.
package job

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"
)

// A Key names what a job is for. Of tells jobs of one kind apart, usually by the screen
// that they work for.
type Key struct {
	Kind string
	Of   any
}

// A Job is one start of the work of a key.
type Job struct {
	Key
	Token uint64
}

// Work runs away from the frame. The function that it returns takes the result over.
type Work func(ctx context.Context) (take func() tea.Cmd)

// An Answer is the message of a job that is done.
type Answer struct {
	Job
	take func() tea.Cmd
}

// Jobs are the jobs of one program. They belong to its goroutine.
type Jobs struct {
	ctx    context.Context
	newest map[Key]*running
	last   uint64 // token
}

// running is the newest job of a key. It ends with the last of its parts.
type running struct {
	token uint64
	parts int
	ctx   context.Context
	stop  context.CancelFunc
}

// New returns jobs that end with ctx.
func New(ctx context.Context) *Jobs { return &Jobs{ctx: ctx, newest: map[Key]*running{}} }

// Start returns the command of a new job. It cancels the job of the same key.
func (j *Jobs) Start(k Key, work Work) tea.Cmd {
	j.Stop(k)
	j.last++
	r := &running{token: j.last}
	r.ctx, r.stop = context.WithCancel(j.ctx)
	j.newest[k] = r
	return j.part(k, r, work)
}

// Join returns the command of one more part of the job of a key, or starts one. All parts
// of a job share its token and its context.
func (j *Jobs) Join(k Key, work Work) tea.Cmd {
	if r := j.newest[k]; r != nil {
		return j.part(k, r, work)
	}
	return j.Start(k, work)
}

func (j *Jobs) part(k Key, r *running, work Work) tea.Cmd {
	r.parts++
	ctx, id := r.ctx, Job{k, r.token}
	return Safely(func() tea.Msg { return Answer{id, work(ctx)} })
}

// Stop cancels the job of a key. Its answers are dropped.
func (j *Jobs) Stop(k Key) {
	if r := j.newest[k]; r != nil {
		r.stop()
		delete(j.newest, k)
	}
}

// StopOf cancels all jobs for one screen.
func (j *Jobs) StopOf(of any) {
	for k := range j.newest {
		if k.Of == of {
			j.Stop(k)
		}
	}
}

// Running reports whether a job of a key is under way.
func (j *Jobs) Running(k Key) bool { return j.newest[k] != nil }

// Token returns the token of the job of a key that is under way, or 0.
func (j *Jobs) Token(k Key) uint64 {
	if r := j.newest[k]; r != nil {
		return r.token
	}
	return 0
}

// Take takes an answer over. An answer that is not of the newest job of its key is
// dropped.
func (j *Jobs) Take(a Answer) tea.Cmd {
	r := j.newest[a.Key]
	if r == nil || r.token != a.Token {
		return nil
	}
	var cmd tea.Cmd
	if a.take != nil {
		cmd = a.take()
	}
	if r.parts--; r.parts == 0 && j.newest[a.Key] == r {
		j.Stop(a.Key)
	}
	return cmd
}
