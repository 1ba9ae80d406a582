package job_test

import (
	"context"
	"slices"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"agentlens/internal/ui/job"
)

var key = job.Key{Kind: "test"}

// saying returns work that stores its context in ctx. Its result appends s to list.
func saying(list *[]string, s string, ctx *context.Context) job.Work {
	return func(c context.Context) func() tea.Cmd {
		if ctx != nil {
			*ctx = c
		}
		return func() tea.Cmd { *list = append(*list, s); return nil }
	}
}

func answer(t *testing.T, cmd tea.Cmd) job.Answer {
	t.Helper()
	a, ok := cmd().(job.Answer)
	if !ok {
		t.Fatal("the command of a job does not return an answer")
	}
	return a
}

func want(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("taken: %q, want %q", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("taken: %q, want %q", got, want)
		}
	}
}

func TestLateAnswersAreDropped(t *testing.T) {
	var list []string
	var first context.Context
	jobs := job.New(context.Background())
	a := answer(t, jobs.Start(key, saying(&list, "a", &first)))
	b := answer(t, jobs.Start(key, saying(&list, "b", nil)))
	if first.Err() == nil {
		t.Error("a new job does not cancel the previous one")
	}
	jobs.Take(b)
	jobs.Take(a)
	jobs.Take(b)
	want(t, list, "b")
	if jobs.Running(key) {
		t.Error("a job is still running after its answer")
	}
	c := answer(t, jobs.Start(key, saying(&list, "c", nil)))
	jobs.Stop(key)
	jobs.Take(c)
	jobs.Take(job.Answer{})
	want(t, list, "b")
}

func TestPartsShareAJob(t *testing.T) {
	var list []string
	var ctx context.Context
	jobs := job.New(context.Background())
	a := answer(t, jobs.Join(key, saying(&list, "a", &ctx)))
	b := answer(t, jobs.Join(key, saying(&list, "b", nil)))
	jobs.Take(a)
	if ctx.Err() != nil || !jobs.Running(key) {
		t.Error("a job ends before its last part")
	}
	c := answer(t, jobs.Join(key, saying(&list, "c", nil)))
	jobs.Take(b)
	jobs.Take(c)
	want(t, list, "a", "b", "c")
	if ctx.Err() == nil || jobs.Running(key) {
		t.Error("a job does not end with its last part")
	}
}

// A job whose answer starts the next job of the key does not end that job.
func TestNextJobOfAKey(t *testing.T) {
	var list []string
	jobs := job.New(context.Background())
	var next tea.Cmd
	a := answer(t, jobs.Start(key, func(context.Context) func() tea.Cmd {
		return func() tea.Cmd { next = jobs.Start(key, saying(&list, "next", nil)); return nil }
	}))
	jobs.Take(a)
	if !jobs.Running(key) {
		t.Fatal("the next job is not running")
	}
	jobs.Take(answer(t, next))
	want(t, list, "next")
}

func TestJobsOfAScreen(t *testing.T) {
	var list []string
	jobs := job.New(context.Background())
	mine, other := job.Key{Kind: "read", Of: t}, job.Key{Kind: "read", Of: &list}
	a := answer(t, jobs.Start(mine, saying(&list, "a", nil)))
	b := answer(t, jobs.Start(other, saying(&list, "b", nil)))
	jobs.StopOf(t)
	jobs.Take(a)
	jobs.Take(b)
	want(t, list, "b")
}

// Work that takes much memory waits for the other, unless it is stopped.
func TestOneAtATime(t *testing.T) {
	var list []string
	jobs := job.New(context.Background())
	other := job.Key{Kind: "other"}
	begun, end, answers := make(chan bool), make(chan bool), make(chan job.Answer)
	run := func(cmd tea.Cmd) { go func() { answers <- cmd().(job.Answer) }() }
	run(jobs.StartAlone(key, func(context.Context) func() tea.Cmd {
		begun <- true
		<-end
		return saying(&list, "first", nil)(nil)
	}))
	<-begun
	if jobs.AloneBut(key) || !jobs.AloneBut(other) {
		t.Error("the running job is not the only one")
	}
	run(jobs.StartAlone(other, func(context.Context) func() tea.Cmd { panic("not stopped") }))
	if !jobs.AloneBut(key) {
		t.Error("a waiting job does not count")
	}
	jobs.Stop(other)
	jobs.Take(<-answers) // of the stopped one, while the first still works
	run(jobs.StartAlone(other, saying(&list, "second", nil)))
	select {
	case <-answers:
		t.Error("the second job did not wait")
	default:
	}
	end <- true
	jobs.Take(<-answers)
	jobs.Take(<-answers)
	slices.Sort(list)
	want(t, list, "first", "second")
}

func TestPanicsBecomeMessages(t *testing.T) {
	jobs := job.New(context.Background())
	msg := jobs.Start(key, func(context.Context) func() tea.Cmd { panic("in a job") })()
	if c, ok := msg.(job.Crashed); !ok || c.Err.Error() != "lens failed: in a job; the run itself is untouched" {
		t.Errorf("got %v", msg)
	}
}

// Only the newest value of a setting is written, and only once.
func TestSettingWritesTheNewest(t *testing.T) {
	var s job.Setting
	var list []string
	write := func(value string) { list = append(list, value) }
	s.Write(write)
	s.Set("one")
	s.Set("two")
	s.Write(write)
	s.Write(write)
	s.Set("three")
	s.Write(write)
	want(t, list, "two", "three")
}
