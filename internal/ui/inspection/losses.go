package inspection

import (
	"context"
	"sync"

	"agentlens/internal/curate"
	"agentlens/internal/curate/evidence"
	"agentlens/internal/model"
	"agentlens/internal/ui/kit"
	"agentlens/internal/ui/view"
)

// A Judge finds the evidence of each thread once, for all callers. It is safe for concurrent use: callers wait
// while the evidence of a thread is being found.
type Judge struct {
	mu    sync.Mutex
	run   *model.Run
	found map[*model.Thread]*curate.Evidence
}

// Evidence returns the evidence of a thread. It drops the evidence of any other run.
func (j *Judge) Evidence(ctx context.Context, run *model.Run, t *model.Thread) (*curate.Evidence, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.run != run {
		j.run, j.found = run, map[*model.Thread]*curate.Evidence{}
	}
	if e := j.found[t]; e != nil {
		return e, nil
	}
	e, err := curate.FindEvidence(ctx, run, t)
	if err == nil {
		j.found[t] = e
	}
	return e, err
}

// EvidenceOf returns a function that finds the evidence of a thread.
func (s *State) EvidenceOf(t *model.Thread) func(ctx context.Context) (*curate.Evidence, error) {
	j, run := s.Judge, s.Labels.Run
	return func(ctx context.Context) (*curate.Evidence, error) { return j.Evidence(ctx, run, t) }
}

// LossesOf returns a function that finds what the views of a replay had lost. It runs in a job.
func (s *State) LossesOf(of *curate.Replayed) func(ctx context.Context) (*view.Losses, error) {
	find, gated := s.EvidenceOf(of.Input().Thread), kit.Gated(s.Config.Gate)
	return func(ctx context.Context) (*view.Losses, error) {
		e, err := find(ctx)
		if err != nil {
			return nil, err
		}
		return view.LossesOf(of, evidence.Audit(of, e).Pairs, gated), nil
	}
}
